internal import Glibc

enum Complaint {
  /// Prints what is wrong to standard error, and ends the process.
  static func end(_ sentence: String) -> Never {
    let line = Array((sentence + "\n").utf8)
    _ = unsafe write(STDERR_FILENO, line, line.count)
    exit(1)
  }
}
