import Base
import InteropContract
import TestSupport
import Testing
import Wire

/// Our two codecs against those of PyPI's protobuf, message by message.
@Suite("Another implementation of protobuf")
struct PeerComparisonTests {
  private static let count = LongTests.areWanted ? 50_000 : 2000

  @Test("reads what we write, in both forms alike, and we read what it writes")
  func ourMessages() async throws {
    var random = RandomMessage(seed: 20_261_120)
    let messages = (0..<Self.count).map { _ in random.everyField() }
    let folder = try TemporaryFolder(named: "peer")
    var output: [UInt8] = []
    for message in messages {
      append(try message.encoded(), to: &output)
      append(try message.json(), to: &output)
    }
    try Files.write(output, to: folder.file("ours"))
    try await peer(["check", Repository.path("proto/assent.binpb"), folder.file("ours"), folder.file("theirs")])

    let theirs = pieces(try Files.read(folder.file("theirs"), limit: 1 << 30))
    try #require(theirs.count == messages.count * 2)
    for (index, message) in messages.enumerated() {
      #expect(structure(of: try EveryField(decoding: theirs[index * 2])) == structure(of: message))
      #expect(structure(of: try EveryField(json: theirs[index * 2 + 1])) == structure(of: message))
    }
  }

  @Test("makes messages of its own that we read, in both forms alike")
  func theirMessages() async throws {
    let folder = try TemporaryFolder(named: "peer")
    let descriptors = Repository.path("proto/assent.binpb")
    try await peer(["make", descriptors, "4711", "\(Self.count)", folder.file("theirs")])
    let theirs = pieces(try Files.read(folder.file("theirs"), limit: 1 << 30))
    try #require(theirs.count == Self.count * 2)
    var output: [UInt8] = []
    for index in 0..<Self.count {
      let message = try EveryField(decoding: theirs[index * 2])
      #expect(structure(of: try EveryField(json: theirs[index * 2 + 1])) == structure(of: message))
      append(theirs[index * 2], to: &output)
      append(try message.json(), to: &output)
      append(try message.encoded(), to: &output)
      append(theirs[index * 2 + 1], to: &output)
    }
    try Files.write(output, to: folder.file("mixed"))
    try await peer(["check", descriptors, folder.file("mixed"), folder.file("again")])
  }

  private func peer(_ arguments: [String]) async throws {
    let script = Repository.path("Tests/Fixtures/protobuf_peer.py")
    let result = try await ChildProcess.output(of: ChildCommand(Repository.python, [script] + arguments))
    try #require(result.exit.isSuccess, "the peer \(result.exit)")
  }

  private func append(_ piece: [UInt8], to output: inout [UInt8]) {
    for shift in stride(from: 0, to: 32, by: 8) { output.append(UInt8(piece.count >> shift & 0xff)) }
    output += piece
  }

  private func pieces(_ bytes: [UInt8]) -> [[UInt8]] {
    var pieces: [[UInt8]] = []
    var rest = bytes[...]
    while rest.count >= 4 {
      let count = rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
      pieces.append(Array(rest.dropFirst(4).prefix(count)))
      rest = rest.dropFirst(4 + count)
    }
    return pieces
  }
}
