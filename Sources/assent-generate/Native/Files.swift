internal import Generator
internal import Glibc

/// Whole files, and the way out when something is wrong.
enum Files {
  static func read(_ path: String) throws(GeneratorError) -> [UInt8] {
    guard let file = unsafe fopen(path, "rb") else { throw failure("read", path) }
    defer { unsafe fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe fread(&chunk, 1, chunk.count, file)
      bytes += chunk.prefix(count)
      if count < chunk.count { break }
    }
    guard unsafe ferror(file) == 0 else { throw failure("read", path) }
    return bytes
  }

  static func write(_ bytes: [UInt8], to path: String) throws(GeneratorError) {
    guard let file = unsafe fopen(path, "wb") else { throw failure("write", path) }
    let written = unsafe fwrite(bytes, 1, bytes.count, file)
    guard unsafe fclose(file) == 0, written == bytes.count else { throw failure("write", path) }
  }

  /// Says what is wrong and ends the process.
  static func complain(_ sentence: String) -> Never {
    let line = Array((sentence + "\n").utf8)
    _ = unsafe Glibc.write(STDERR_FILENO, line, line.count)
    exit(1)
  }

  private static func failure(_ verb: String, _ path: String) -> GeneratorError {
    GeneratorError("cannot \(verb) \(path): \(unsafe String(cString: strerror(errno)))")
  }
}
