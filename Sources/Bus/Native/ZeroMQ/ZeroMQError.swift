internal import CSystem
internal import CZMQ
internal import Glibc

/// An error of the system or of libzmq, and what was tried.
package struct ZeroMQError: Error, Equatable, CustomStringConvertible {
  /// An error number, from `errno.h` or libzmq's own range.
  package struct Code: Hashable, Sendable, CustomStringConvertible {
    package let number: Int32

    package static let notPermitted = Code(number: EPERM)

    /// The name that manuals use, such as "EADDRINUSE".
    package var description: String {
      switch number {
      case Self.ownNumber(51): return "EFSM"
      case Self.ownNumber(52): return "ENOCOMPATPROTO"
      case Self.ownNumber(53): return "ETERM"
      case Self.ownNumber(54): return "EMTHREAD"
      default:
        guard let name = unsafe csystem_error_name(number) else { return "error \(number)" }
        return unsafe String(cString: name)
      }
    }

    /// The C library's text for the error.
    package var explanation: String {
      guard let message = unsafe zmq_strerror(number) else { return description }
      return unsafe "\(String(cString: message)) (\(self))"
    }

    /// libzmq's own errors have numbers from here on.
    private static func ownNumber(_ offset: Int32) -> Int32 { 156_384_712 + offset }
  }

  package let code: Code
  /// What was tried, and with what: "bind tcp://127.0.0.1:5570".
  package let attempt: String

  package init(_ code: Code, attempt: String) {
    self.code = code
    self.attempt = attempt
  }

  package var description: String { "cannot \(attempt): \(code.explanation)" }

  /// The error that libzmq set on this thread.
  static func last(_ attempt: @autoclosure () -> String) -> ZeroMQError {
    ZeroMQError(Code(number: zmq_errno()), attempt: attempt())
  }

  /// The error that the C library set on this thread.
  package static func system(_ attempt: @autoclosure () -> String) -> ZeroMQError {
    ZeroMQError(Code(number: errno), attempt: attempt())
  }
}
