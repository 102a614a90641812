import Base
import HealthContract
import InteropContract
import TestSupport
import Testing
import Wire

/// Messages as they were once written, in Tests/Fixtures/Golden: stored messages must decode for ever.
///
/// A file is named after its message, with a word of its own behind. The tests below write new ones when
/// ASSENT_UPDATE_GOLDEN is set; existing ones are never written again.
@Suite("Golden vectors")
struct GoldenVectorTests {
  private static let folder = Repository.path("Tests/Fixtures/Golden")

  private static let readers: [String: @Sendable ([UInt8], [UInt8]) throws -> Void] = [
    EveryField.messageName: { try check($0, $1, as: EveryField.self) },
    MixedMessage.messageName: { try check($0, $1, as: MixedMessage.self) },
    PackedFloats.messageName: { try check($0, $1, as: PackedFloats.self) },
    HealthCheckResponse.messageName: { try check($0, $1, as: HealthCheckResponse.self) },
  ]

  static let vectors: [String] = {
    let names = (try? Files.names(in: folder)) ?? []
    return names.filter { $0.hasSuffix(".binpb") }.map { String($0.dropLast(6)) }.sorted()
  }()

  @Test("every kind has some")
  func complete() {
    let names = Set(Self.vectors.compactMap { $0.split(separator: "-").first.map(String.init) })
    #expect(names == Set(Self.readers.keys))
  }

  @Test("each decodes from both forms to the same message, and encodes to the JSON on disk", arguments: vectors)
  func decodes(_ name: String) throws {
    let reader = try #require(Self.readers[String(name.split(separator: "-")[0])])
    try reader(
      Files.read("\(Self.folder)/\(name).binpb"), Files.read("\(Self.folder)/\(name).json"))
  }

  private static func check<M: Message>(_ binary: [UInt8], _ json: [UInt8], as _: M.Type) throws {
    let message = try M(decoding: binary)
    #expect(try message.jsonText(.indented) + "\n" == String(decoding: json, as: UTF8.self))
    #expect(structure(of: try M(json: json)) == structure(of: message))
    #expect(structure(of: try M(decoding: message.encoded())) == structure(of: message))
  }

  @Test("new ones can be written", .enabled(if: Environment.current["ASSENT_UPDATE_GOLDEN"] != nil))
  func write() throws {
    try write(EveryField.example, "all")
    try write(EveryField(int32Value: -1, sint64Value: .min, kind: .negative, choice: .choiceFlag(false)), "negative")
    try write(EveryField(uint64Value: .max, kind: .unrecognized(77), farAway: .max), "largest")
    try write(MixedMessage(id: "ß", notes: ["de": "gut", "": "leer"], owner: .group(0)), "sparse")
    try write(PackedFloats(values: (0..<1000).map { Float($0) / 4 }), "thousand")
    try write(HealthCheckResponse(status: .notServing), "down")
  }

  private func write<M: Message>(_ message: M, _ word: String) throws {
    let path = "\(Self.folder)/\(M.messageName)-\(word)"
    guard !Files.exists(path + ".binpb") else { return }
    try Files.makeFolder(Self.folder)
    try Files.write(message.encoded(), to: path + ".binpb")
    try Files.write(message.json(.indented) + Array("\n".utf8), to: path + ".json")
  }
}
