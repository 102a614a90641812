import Base
import Generator
import TestSupport
import Testing

/// The generator's output for one small contract, as files in Tests/Fixtures/Generator. After a wanted change: run the
/// tests with ASSENT_UPDATE_SNAPSHOTS=1 and read the difference.
@Suite("Generated Swift")
struct SnapshotTests {
  private static let folder = Repository.path("Tests/Fixtures/Generator")

  @Test("a small contract gives exactly the recorded sources")
  func snapshot() async throws {
    let proto = try Files.read("\(Self.folder)/library.proto")
    let set = try await ProtoSource.descriptors(
      String(decoding: proto, as: UTF8.self), name: "example/library/v1/library.proto")
    let generation = try Generation(Contract(set))
    for file in generation.values + generation.conversions where file.path.contains("/ExampleLibrary") {
      let name = file.path.split(separator: "/").last ?? ""
      let path = "\(Self.folder)/\(name).txt"
      if Environment.current["ASSENT_UPDATE_SNAPSHOTS"] != nil { try Files.write(Array(file.text.utf8), to: path) }
      #expect(String(decoding: try Files.read(path), as: UTF8.self) == file.text, "\(name)")
    }
  }

  @Test("the generator gives the same files with the same text every time")
  func deterministic() async throws {
    let bytes = try Files.read(Repository.path("proto/assent.binpb"))
    let first = try Generation(Contract(DescriptorSet(decoding: bytes)))
    let second = try Generation(Contract(DescriptorSet(decoding: bytes)))
    #expect(first.values == second.values && first.conversions == second.conversions)
    #expect(first.values.contains { $0.path == "Sources/Contracts/Interop/Generated/InteropV1Interop.swift" })
  }
}
