internal import Glibc

/// The C library's message for an error number.
package func systemMessage(_ code: Int32) -> String {
  var buffer = [CChar](repeating: 0, count: 128)
  guard unsafe strerror_r(code, &buffer, buffer.count) == 0 else { return "error \(code)" }
  return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
