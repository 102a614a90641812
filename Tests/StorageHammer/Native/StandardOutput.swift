internal import Glibc

/// Lines that are written before the next change begins: a buffer would lose acknowledgements with the process.
enum StandardOutput {
  static func write(_ line: String) {
    var line = line
    line.withUTF8 { bytes in _ = unsafe Glibc.write(1, bytes.baseAddress, bytes.count) }
  }
}
