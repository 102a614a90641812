internal import Glibc

/// A file that could not be written.
struct FileError: Error, CustomStringConvertible {
  let path: String
  let code: Int32

  var description: String {
    "cannot write \(path): \(unsafe String(cString: strerror(code)))"
  }
}

/// Writes `text` to `path`, making the folders on the way.
func writeFile(_ text: String, to path: String) throws(FileError) {
  let folders = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
  for count in folders.indices { unsafe mkdir(folders[...count].joined(separator: "/"), 0o755) }
  guard let file = unsafe fopen(path, "w") else { throw FileError(path: path, code: errno) }
  let written = unsafe fputs(text, file)
  guard unsafe fclose(file) == 0, written >= 0 else { throw FileError(path: path, code: errno) }
}
