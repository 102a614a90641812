internal import Glibc

/// Writes a line to standard output.
package func say(_ line: String) {
  writeAll(Array((line + "\n").utf8), to: 1)
}

/// Writes bytes to standard output as they are.
package func sayBytes(_ bytes: [UInt8]) { writeAll(bytes, to: 1) }

/// Writes a line to standard error, for errors that occur before there is a log.
package func complain(_ line: String) {
  writeAll(Array((line + "\n").utf8), to: 2)
}

/// Writes every byte. Gives up silently if a write fails, since there is nobody to report that to.
func writeAll(_ bytes: [UInt8], to descriptor: Int32) {
  var written = 0
  while written < bytes.count {
    let count = unsafe bytes.withUnsafeBytes { buffer in
      unsafe write(descriptor, buffer.baseAddress?.advanced(by: written), bytes.count - written)
    }
    if count < 0, errno != EINTR { return }
    written += max(0, count)
  }
}
