import Base
import Glibc
import Synchronization
import Testing

@Suite struct AppendOnlyFileTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file("lines") }

  init() throws { folder = try TemporaryFolder() }

  private var text: String { get throws { String(decoding: try Files.read(path), as: UTF8.self) } }

  @Test("of a record for which there is no room nothing stays, and the next one stands by itself")
  func noRoom() throws {
    let isFull = Mutex(false)
    let file = try AppendOnlyFile(path, room: { count in isFull.withLock { $0 } ? 2 : count })
    try file.append(Array("one\n".utf8))
    isFull.withLock { $0 = true }
    let error = #expect(throws: FileError.self) { try file.append(Array("two\n".utf8)) }
    #expect(error?.description.contains("No space left") == true)
    #expect(try text == "one\n")
    isFull.withLock { $0 = false }
    try file.append(Array("three\n".utf8))
    #expect(try text == "one\nthree\n")
  }

  @Test("a line that a crash cut short is ended before the next one")
  func cutShort() throws {
    try Files.write(Array("one\ntw".utf8), to: path)
    let file = try AppendOnlyFile(path)
    for line in ["three\n", "four\n"] { try file.append(Array(line.utf8)) }
    #expect(try text == "one\ntw\nthree\nfour\n")
  }

  @Test("whoever has the file open adds to the one that replaced it; one that was put away is added to where it is")
  func replaced() throws {
    let (one, other) = (try AppendOnlyFile(path), try AppendOnlyFile(path))
    try one.append(Array("one\n".utf8))
    try other.append(Array("two\n".utf8))
    try one.replace { Array("both\n".utf8) }
    try other.append(Array("three\n".utf8))
    try one.append(Array("four\n".utf8))
    #expect(try text == "both\nthree\nfour\n")
    #expect(try one.byteCount == 16)
    #expect(unsafe rename(path, folder.file("away")) == 0)
    try one.append(Array("five\n".utf8))
    #expect(!Files.exists(path))
    #expect(try String(decoding: Files.read(folder.file("away")), as: UTF8.self).hasSuffix("four\nfive\n"))
  }

  @Test("a link to a file is not replaced, and adding goes on")
  func linked() throws {
    try Files.write([], to: folder.file("file"))
    #expect(unsafe symlink(folder.file("file"), path) == 0)
    let file = try AppendOnlyFile(path)
    try file.append(Array("one\n".utf8))
    try file.replace { [] }
    #expect(try text == "one\n")
  }

  @Test("what an end needs is added to it or cut off")
  func repaired() throws {
    try Files.write(Array("one,tw".utf8), to: path)
    try AppendOnlyFile(path, repair: { $0.last == UInt8(ascii: "w") ? .cut(2) : .none }).append(Array("three,".utf8))
    #expect(try text == "one,three,")
    try AppendOnlyFile(path, repair: { _ in .add([UInt8(ascii: "-")]) }).append(Array("four".utf8))
    #expect(try text == "one,three,-four")
  }
}
