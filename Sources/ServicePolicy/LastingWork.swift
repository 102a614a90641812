public import RPC
public import Storage

// Work in another service that has to be done in the end, however long that service is away or fails.

extension JobHandler {
  /// A job that goes on until it is done, or the other service says that it is pointless.
  ///
  /// - Parameters:
  ///   - rules: refusals that end by themselves, such as a hold.
  ///   - verdicts: outcomes that no later call would change.
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
  /// What passes is often over within a few minutes.
  private static let pause = Duration.seconds(600)
  /// Where no such service is known: perhaps there never will be one. A gateway that was started anew, or has not heard
  /// of a service for an hour, says that there is none: UNIMPLEMENTED.
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
  /// The other service could not be reached, or had no time.
  fileprivate var isOutage: Bool {
    [.unavailable, .deadlineExceeded, .resourceExhausted, .aborted].contains(code)
  }

  /// The stable name with which services begin their messages.
  public var rule: String { message.split(separator: ":").first.map(String.init) ?? code.name }

  /// The other service refused by this rule.
  public func isRefusal(by rule: String) -> Bool { self.rule == rule }
}
