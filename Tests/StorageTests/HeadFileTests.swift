import Base
import Storage
import StorageTestKit
import Testing

@Suite struct HeadFileTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file("heads") }

  init() throws { folder = try TemporaryFolder() }

  private func head(_ size: Int64, of log: String = "a") -> SignedCheckpoint {
    Checkpoint(origin: "test/letters/\(log)", size: size, root: Digest(of: [])).signed(by: EvidenceKey.example().key)
  }

  private var heads: [SignedCheckpoint] {
    get throws { try SignedCheckpoint.list(String(decoding: try Files.read(path), as: UTF8.self)) }
  }

  @Test("a head that a crash cut short, wherever it was cut, stops no service and is gone when the next one is added")
  func cutShort() throws {
    let torn = Array("\(head(2).note)\n".utf8)
    for count in Array(stride(from: 1, to: torn.count - 5, by: 7)) + Array(torn.count - 5..<torn.count) {
      try Files.write(Array("\(head(1).note)\n".utf8) + torn.prefix(count), to: path)
      let file = try HeadFile(path)
      try file.append([head(3)])
      let isWhole = count >= torn.count - 2
      #expect(try heads == [head(1)] + (isWhole ? [head(2)] : []) + [head(3)], "cut after \(count) bytes")
    }
  }

  @Test("heads of several logs come back, the largest of each")
  func largest() throws {
    let file = try HeadFile(path)
    try file.append([head(1), head(2)])
    try file.append([head(1, of: "b")])
    let again = try HeadFile(path)
    #expect(again.head(of: "test/letters/a") == head(2))
    #expect(again.head(of: "test/letters/b") == head(1, of: "b"))
    #expect(again.head(of: "test/letters/c") == nil)
  }

  @Test("several processes add to one file, and the next one to start knows the heads of all")
  func shared() throws {
    let (one, other) = (try HeadFile(path), try HeadFile(path))
    try one.append([head(1), head(2)])
    try other.append([head(1), head(2), head(3)])
    try one.append([head(1, of: "b")])
    #expect(try heads == [head(1), head(2), head(1), head(2), head(3), head(1, of: "b")])
    let next = try HeadFile(path)
    #expect(next.head(of: "test/letters/a") == head(3))
    #expect(next.head(of: "test/letters/b") == head(1, of: "b"))
  }

  @Test("a file that has grown is shortened to the newest head of each log and a few before it")
  func shortened() throws {
    let file = try HeadFile(path, limit: 4096)
    for size in 1...300 as ClosedRange<Int64> { try file.append([head(size), head(size + 5, of: "b")]) }
    let known = try heads
    #expect(known.count < 60)
    for (log, last) in [("a", 300), ("b", 305)] as [(String, Int64)] {
      let sizes = known.map(\.checkpoint).filter { $0.origin == "test/letters/\(log)" }.map(\.size)
      #expect(sizes.max() == last && sizes == sizes.sorted())
      #expect(sizes[0] < 10 && sizes.contains { (100..<280).contains($0) }, "\(sizes)")
      #expect(try HeadFile(path).head(of: "test/letters/\(log)") == head(last, of: log))
    }
  }

  @Test("a file that another process has shortened gets the heads of both")
  func shortenedByAnother() throws {
    let (one, other) = (try HeadFile(path, limit: 4096), try HeadFile(path))
    for size in 1...50 as ClosedRange<Int64> {
      try one.append([head(size)])
      try other.append([head(size, of: "b")])
    }
    let next = try HeadFile(path)
    #expect(next.head(of: "test/letters/a") == head(50) && next.head(of: "test/letters/b") == head(50, of: "b"))
    #expect(try heads.count < 60)
    #expect(try Files.names(in: folder.path) == ["heads"])
  }

  @Test("a file that holds something else is refused, and nothing is added to it")
  func somethingElse() throws {
    for text in ["a list of names\n", "one\ntwo\nthree\nfour\nfive\nsix\n", "a\nx\n\(head(1).note)\n"] {
      try Files.write(Array(text.utf8), to: path)
      #expect(throws: EvidenceProblem.self) { try HeadFile(path) }
      #expect(String(decoding: try Files.read(path), as: UTF8.self) == text)
    }
  }
}
