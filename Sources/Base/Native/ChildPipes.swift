internal import CSystem
internal import Glibc

/// Both ends of the pipes that connect a child to its parent.
struct ChildPipes {
  /// The child's descriptors 0, 1 and 2.
  private(set) var childEnds: [Int32] = []
  /// The end into which the parent writes the child's input.
  private(set) var input: Int32?
  /// The ends from which the parent reads the child's output, each with the closure that gets its lines.
  private(set) var outputs: [ChildOutputEnd] = []
  private var openedForChild: [Int32] = []

  init(for command: ChildCommand) throws(ChildProcessError) {
    do throws(SystemFailure) {
      childEnds.append(try end(for: command.input))
      childEnds.append(try end(for: command.output, inherited: 1))
      childEnds.append(try end(for: command.errors, inherited: 2))
    } catch {
      closeAll()
      throw ChildProcessError(
        code: error.code, description: "cannot connect to \(command.program): \(systemMessage(error.code))")
    }
  }

  func closeChildEnds() {
    for descriptor in openedForChild { close(descriptor) }
  }

  func closeAll() {
    closeChildEnds()
    if let input { close(input) }
    for output in outputs { close(output.descriptor) }
  }

  private struct SystemFailure: Error {
    let code = errno
  }

  private mutating func end(for input: ChildCommand.Input) throws(SystemFailure) -> Int32 {
    switch input {
    case .inherited: return 0
    case .nothing: return try openNothing(O_RDONLY)
    case .written:
      var ends: [Int32] = [-1, -1]
      // A socket instead of a pipe, because a write to it can be told not to raise SIGPIPE when the child has gone.
      let result = unsafe socketpair(
        AF_UNIX, Int32(bitPattern: SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends)
      guard result == 0 else { throw SystemFailure() }
      self.input = ends[0]
      openedForChild.append(ends[1])
      return ends[1]
    }
  }

  private mutating func end(
    for output: ChildCommand.Output, inherited: Int32
  ) throws(SystemFailure) -> Int32 {
    switch output {
    case .inherited: return inherited
    case .discarded: return try openNothing(O_WRONLY)
    case .lines(let onLine):
      var ends: [Int32] = [-1, -1]
      guard unsafe csystem_pipe(&ends) == 0 else { throw SystemFailure() }
      outputs.append(ChildOutputEnd(descriptor: ends[0], onLine: onLine))
      openedForChild.append(ends[1])
      return ends[1]
    }
  }

  private mutating func openNothing(_ flags: Int32) throws(SystemFailure) -> Int32 {
    let descriptor = unsafe csystem_open("/dev/null", flags | O_CLOEXEC, 0)
    guard descriptor >= 0 else { throw SystemFailure() }
    openedForChild.append(descriptor)
    return descriptor
  }
}

/// The parent's end of a child's output.
struct ChildOutputEnd: Sendable {
  let descriptor: Int32
  let onLine: @Sendable (String) -> Void
}
