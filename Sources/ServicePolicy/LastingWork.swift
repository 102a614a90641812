public import RPC
public import Storage

// Jobs that call another service, and are retried for as long as that service is unavailable or fails.

extension JobHandler {
  /// A handler whose job is retried until it succeeds, or until the other service answers that no retry can.
  ///
  /// - Parameters:
  ///   - rules: the rules of refusals that cease to apply in time, such as a legal hold. They count as an outage.
  ///   - verdicts: status codes after which the job is given up, since no later call would get another answer.
  public static func lasting(
    _ kind: String, passing rules: Set<String> = [], until verdicts: Set<StatusCode> = [.invalidArgument, .notFound],
    work: @escaping @Sendable (Job) async throws -> Void
  ) -> JobHandler {
    JobHandler(kind, judging: { JobSetback(of: $0, passing: rules, until: verdicts) }, work: work)
  }
}

extension Set<StatusCode> {
  /// Status codes after which a repeated call would get the same answer, as long as the other service does not change
  /// what it has stored.
  public static var finalVerdicts: Set<StatusCode> { [.invalidArgument, .notFound, .failedPrecondition] }
}

extension JobSetback {
  /// The longest pause between retries during an outage, which is often over within a few minutes.
  private static let pause = Duration.seconds(600)
  /// The longest pause between retries after UNIMPLEMENTED. A gateway answers so if no such service has connected since
  /// it started or for an hour; perhaps the installation has none.
  private static let longPause = Duration.seconds(3600)

  init(of error: any Error, passing rules: Set<String>, until verdicts: Set<StatusCode>) {
    guard let status = (error as? any StatusConvertible)?.status else {
      self = .fault
      return
    }
    if status.code == .unimplemented {
      self = .passing(within: Self.longPause)
    } else if status.isOutage || rules.contains(status.rule) {
      self = .passing(within: Self.pause)
    } else {
      self = verdicts.contains(status.code) ? .pointless : .fault
    }
  }
}

extension Status {
  /// Whether the other service could not be reached, or had no capacity or time for the call.
  fileprivate var isOutage: Bool {
    [.unavailable, .deadlineExceeded, .resourceExhausted, .aborted].contains(code)
  }

  /// The stable name with which services begin their messages; that of the code where a message has none.
  public var rule: String {
    let name = message.prefix { $0 != ":" }
    let isName =
      !name.isEmpty && name.endIndex < message.endIndex
      && name.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 95 }
    return isName ? String(name) : code.name.lowercased()
  }

  /// Whether the other service refused the call by this rule.
  public func isRefusal(by rule: String) -> Bool { self.rule == rule }
}
