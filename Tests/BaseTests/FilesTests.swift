import Base
import Glibc
import Testing

@Suite struct FilesTests {
  @Test("a file reads back as it was written, and nothing else is left in the folder")
  func roundTrip() throws {
    let folder = try TemporaryFolder()
    try Files.makeFolder(folder.file("a/b"))
    try Files.write([1, 2, 3], to: folder.file("a/b/file"))
    try Files.write([4], to: folder.file("a/b/file"))
    #expect(try Files.read(folder.file("a/b/file")) == [4])
    #expect(try Files.names(in: folder.file("a/b")) == ["file"])
  }

  @Test("of those who edit one file at a time nobody undoes what another one did, and no lock is left")
  func alone() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("list")
    try Files.write([], to: path)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number: UInt8 in 0..<20 {
        group.addTask {
          try Files.alone(with: path) { try Files.write(Files.read(path) + [number], to: path) }
        }
      }
      try await group.waitForAll()
    }
    #expect(try Files.read(path).sorted() == Array(0..<20))
    #expect(throws: FileError.self) { try Files.alone(with: path) { try Files.read(folder.file("other")) } }
    #expect(try Files.names(in: folder.path) == ["list"])
  }

  @Test("whoever edits a file alone removes what others left who were cut short while they wrote it, and nothing else")
  func drafts() throws {
    let folder = try TemporaryFolder()
    for name in ["list", "list.draft-0011", "list.draft-2233", "list.d", "other.draft-0011", "keys.list.draft-0011"] {
      try Files.write([1], to: folder.file(name))
    }
    try Files.alone(with: folder.file("list")) { try Files.write([2], to: folder.file("list")) }
    #expect(try Files.read(folder.file("list")) == [2])
    #expect(
      try Files.names(in: folder.path) == ["keys.list.draft-0011", "list", "list.d", "other.draft-0011"])
  }

  @Test("a secret is made once, also by many at a time, for its owner alone, and what was cut short before is gone")
  func secrets() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("key")
    try Files.write([1], to: folder.file("key.draft-0011"), mode: 0o600)
    let made = try await withThrowingTaskGroup(of: Bool.self) { group in
      for number: UInt8 in 0..<20 { group.addTask { try Files.makeSecret(path) { [number] } } }
      return try await group.reduce(into: 0) { count, isNew in count += isNew ? 1 : 0 }
    }
    #expect(made == 1)
    #expect(try Files.names(in: folder.path) == ["key"])
    #expect(try Files.readPrivate(path).count == 1)
  }

  @Test("no secret is made where its name is a link that leads nowhere, or where its folder cannot be looked at")
  func secretsBehindLinks() throws {
    let folder = try TemporaryFolder()
    for (name, target) in [("unmounted", "volume/key"), ("circle", "circle")] {
      let path = folder.file(name)
      #expect(unsafe symlink(folder.file(target), path) == 0)
      #expect(try !Files.makeSecret(path) { [1] }, "\(name)")
      #expect(try !Files.writeNew([1], to: path, mode: 0o600), "\(name)")
      #expect(throws: FileError.self, "\(name)") { try Files.readPrivate(path) }
    }
    try Files.write([1], to: folder.file("file"))
    #expect(throws: FileError.self) { try Files.makeSecret(folder.file("file/key")) { [1] } }
    #expect(try Files.names(in: folder.path) == ["circle", "file", "unmounted"])
  }

  @Test(
    "a lock that another user left is refused with what to do about it",
    .enabled(if: geteuid() != 0, "root may open any file"))
  func otherLock() async throws {
    let folder = try TemporaryFolder()
    let lock = folder.file("list.lock")
    try Files.write([], to: lock, mode: 0)
    let error = #expect(throws: FileError.self) { try Files.alone(with: folder.file("list")) {} }
    #expect(error?.code == EACCES && error?.description.contains("remove the file") == true)
    #expect(Files.exists(lock))
  }

  @Test("a file above the limit is refused, not read")
  func limit() throws {
    let folder = try TemporaryFolder()
    try Files.write([UInt8](repeating: 7, count: 100_000), to: folder.file("file"))
    #expect(try Files.read(folder.file("file"), limit: 100_000).count == 100_000)
    #expect(throws: FileError.self) { try Files.read(folder.file("file"), limit: 99_999) }
  }

  @Test("a temporary folder is removed with everything in it, and links are not followed")
  func temporary() async throws {
    let kept = try TemporaryFolder()
    try Files.write([1], to: kept.file("kept"))
    var path = ""
    do {
      let folder = try TemporaryFolder()
      path = folder.path
      try Files.makeFolder(folder.file("a/b/c"))
      try Files.write([1], to: folder.file("a/b/file"))
      _ = try await ChildProcess.output(of: ChildCommand("ln", ["-s", kept.path, folder.file("a/link")]))
      #expect(Files.exists(folder.file("a/link/kept")))
    }
    #expect(!Files.exists(path))
    #expect(Files.exists(kept.file("kept")))
  }

  @Test(
    "a file that holds a secret is read only when it is nobody else's to use", arguments: [0o644, 0o660, 0o602, 0o777])
  func secret(mode: Int) async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("key")
    try Files.write([1], to: path, mode: 0o600)
    #expect(try Files.readPrivate(path) == [1])
    let octal = String(mode, radix: 8)
    _ = try await ChildProcess.output(of: ChildCommand("chmod", [octal, path]))
    let error = #expect(throws: FileError.self) { try Files.readPrivate(path) }
    #expect(
      error?.description == "\(path) holds a secret, and others may use it (mode \(octal)): chmod 600 \(path)")
  }

  @Test("a private file is made for its user alone, and loses what others might do to it")
  func makePrivate() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("database")
    let mode = { try await ChildProcess.output(of: ChildCommand("stat", ["-c", "%a", path])).lines }
    try Files.makePrivate(path)
    #expect(try await mode() == ["600"])
    try Files.write([1], to: path, mode: 0o664)
    try Files.makePrivate(path)
    #expect(try await mode() == ["600"])
    #expect(try Files.read(path) == [1])
  }

  @Test("an error of a file says what failed, where and why")
  func errors() {
    let error = #expect(throws: FileError.self) { try Files.read("/no/such/file") }
    #expect(error?.description == "cannot read /no/such/file: No such file or directory")
    let refused = #expect(throws: FileError.self) { try Files.makeFolder("/proc/folder") }
    #expect(refused?.description.hasPrefix("cannot make folder /proc/folder: ") == true)
  }
}
