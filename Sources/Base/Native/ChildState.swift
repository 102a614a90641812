internal import CSystem
internal import Glibc
internal import Synchronization

/// The state of a child, shared by its `ChildProcess` and the thread that watches it.
final class ChildState: Sendable {
  private let process: pid_t
  private let life: Mutex<Life>
  private let input: Mutex<Int32?>

  private enum Life {
    case running(waiting: [CheckedContinuation<ProcessExit, Never>])
    case ended(ProcessExit)
  }

  init(process: pid_t, input: Int32?) {
    self.process = process
    self.input = Mutex(input)
    life = Mutex(.running(waiting: []))
  }

  deinit {
    closeInput()
  }

  var currentExit: ProcessExit? {
    life.withLock { life in
      if case .ended(let exit) = life { exit } else { nil }
    }
  }

  /// Signals under the lock, because once a process is reaped its id may belong to another one.
  func send(_ signal: ProcessSignal) {
    life.withLock { life in
      guard case .running = life else { return }
      kill(signal == .kill ? -process : process, signal.rawValue)
    }
  }

  func exit() async -> ProcessExit {
    await withCheckedContinuation { continuation in
      let exit: ProcessExit? = life.withLock { life in
        switch life {
        case .ended(let exit): return exit
        case .running(let waiting):
          life = .running(waiting: waiting + [continuation])
          return nil
        }
      }
      if let exit { continuation.resume(returning: exit) }
    }
  }

  /// Reaps the process, which must have ended, and resumes everyone who waits for it.
  func reap() -> ProcessExit {
    let (exit, waiting) = life.withLock { life in
      var status: Int32 = 0
      while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
      let exit = ProcessExit(status: status)
      guard case .running(let waiting) = life else { preconditionFailure("a process is reaped once") }
      life = .ended(exit)
      return (exit, waiting)
    }
    for continuation in waiting { continuation.resume(returning: exit) }
    return exit
  }

  func write(_ bytes: [UInt8], program: String) throws(ChildProcessError) {
    let failure: Int32 = input.withLock { input in
      guard let input else { return EPIPE }
      var written = 0
      while written < bytes.count {
        let count = unsafe bytes.withUnsafeBytes { buffer in
          unsafe Glibc.send(
            input, buffer.baseAddress?.advanced(by: written), bytes.count - written, Int32(MSG_NOSIGNAL))
        }
        if count < 0, errno != EINTR { return errno }
        written += max(0, count)
      }
      return 0
    }
    if failure != 0 {
      throw ChildProcessError(code: failure, description: "cannot write to \(program): \(systemMessage(failure))")
    }
  }

  func closeInput() {
    input.withLock { input in
      if let input { close(input) }
      input = nil
    }
  }
}

extension ProcessExit {
  /// From the status that waitpid reports.
  fileprivate init(status: Int32) {
    let signal = csystem_exit_signal(status)
    self = signal == 0 ? .code(csystem_exit_code(status)) : .signal(signal)
  }
}
