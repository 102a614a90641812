internal import Glibc

/// What is printed, line by line also into a file, where lines would otherwise wait for one another.
enum Lines {
  static func flush() { fflush(nil) }
}
