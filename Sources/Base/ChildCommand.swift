/// A program to run, and how its input and output are connected to its parent.
public struct ChildCommand: Sendable {
  /// Searched on the PATH of this process unless it contains a slash.
  public var program: String
  public var arguments: [String]
  /// Added to the environment of this process; nil removes a variable.
  public var environment: [String: String?] = [:]
  public var directory: String?
  public var input = Input.nothing
  public var output = Output.inherited
  public var errors = Output.inherited
  /// Called once, on a thread of the child's own, when the child has ended and all of its output has been passed on.
  public var whenEnded: @Sendable (ProcessExit) -> Void = { _ in }
  /// The signal that the child gets when this process ends, in whatever way.
  public var whenParentDies = ProcessSignal.kill

  public init(_ program: String, _ arguments: [String] = []) {
    self.program = program
    self.arguments = arguments
  }

  public enum Input: Sendable {
    case nothing
    case inherited
    /// The child reads what this process passes to `ChildProcess.write`.
    case written
  }

  public enum Output: Sendable {
    case inherited
    case discarded
    /// Called with each line, in order, on a thread of the child's own. A line longer than 64 KiB is passed on in
    /// pieces.
    case lines(@Sendable (String) -> Void)
  }
}

/// A signal that one process sends to another.
public enum ProcessSignal: Int32, Sendable {
  case interrupt = 2
  case kill = 9
  case terminate = 15
  case `continue` = 18
  case stop = 19
}

/// How a process ended.
public enum ProcessExit: Hashable, Sendable, CustomStringConvertible {
  case code(Int32)
  case signal(Int32)

  public var isSuccess: Bool { self == .code(0) }

  public var description: String {
    switch self {
    case .code(let code): "ended with \(code)"
    case .signal(let number): "was ended by signal \(number)"
    }
  }
}

/// A program could not be started, or its input could not be written.
public struct ChildProcessError: Error, CustomStringConvertible {
  public let code: Int32
  public let description: String
}
