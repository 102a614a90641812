import Base
import Bus
import RPC
import Testing

@Suite struct PrivateDirectoryTests {
  @Test("a directory is made for its user only, and accepted again")
  func made() throws {
    let directory = try TemporaryFolder()
    let path = directory.file("bus")
    for _ in 0..<2 { #expect(try PrivateDirectory.endpoint("clients", in: path) == "ipc://\(path)/clients") }
    #expect(directory.mode(of: "bus") == 0o700)
  }

  @Test("a directory that others may enter is refused, and the error says how to close it")
  func open() throws {
    let directory = try TemporaryFolder()
    let path = directory.file("bus")
    try PrivateDirectory.ensure(path)
    directory.setMode(0o710, of: "bus")
    let error = #expect(throws: ZeroMQError.self) { try PrivateDirectory.ensure(path) }
    #expect(error?.code == .notPermitted)
    #expect(error?.attempt == "use \(path), which others may enter (chmod 700 \(path) closes it)")
  }

  @Test("a link to a directory, or a file, is not accepted")
  func noDirectory() throws {
    let directory = try TemporaryFolder()
    try PrivateDirectory.ensure("\(directory.path)/real")
    directory.link("bus", to: "real")
    try Files.write([], to: directory.file("file"))
    for name in ["bus", "file"] {
      #expect(throws: ZeroMQError.self) { try PrivateDirectory.ensure("\(directory.path)/\(name)") }
    }
  }

  @Test("a path too long for a socket is refused before the bind")
  func tooLong() throws {
    let directory = try TemporaryFolder()
    let name = String(repeating: "n", count: 100)
    let error = #expect(throws: ZeroMQError.self) { try PrivateDirectory.endpoint(name, in: directory.path) }
    #expect(error?.attempt == "use \(directory.path)/\(name) as a socket (107 bytes at most)")
  }

  @Test("the bus talks through sockets in a private directory")
  func ipc() throws {
    let directory = try TemporaryFolder()
    let context = try ZeroMQContext()
    let endpoint = try PrivateDirectory.endpoint("clients", in: directory.path)
    var router = try TestSocket.router(in: context, on: endpoint)
    var dealer = try TestSocket.dealer(in: context, to: endpoint)
    try dealer.send("hello")
    #expect(try router.receive()?.header == [UInt8]("hello"))
  }
}
