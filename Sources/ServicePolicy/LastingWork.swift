public import RPC
public import Storage

// Work in another service that has to be done in the end, however long that service is away.

extension Job {
  /// A job is given up after ten attempts. That is right where the other service refuses, and somebody has to look;
  /// what passes by itself may last longer, so another job goes on before this one is given up.
  private static let attempts = 8
  private static let pause = Duration.seconds(600)
  /// Where no such service is known: perhaps there never will be one.
  private static let longPause = Duration.seconds(3600)

  /// Does the work. Where that is impossible only for now, another job of this kind goes on, without end.
  public func last(passing: (Status) -> Bool = { $0.isOutage }, _ work: () async throws -> Void) async throws {
    do {
      try await work()
    } catch let status as Status where passing(status) && attempt >= Self.attempts {
      let (kind, payload, pause) = (kind, payload, status.code == .unimplemented ? Self.longPause : Self.pause)
      try await finish { try $0.enqueue(kind, payload, after: pause) }
    }
  }
}

extension Status {
  /// The other service could not be reached, or had no time. A gateway that was started anew, or has not heard of a
  /// service for an hour, says that there is none: UNIMPLEMENTED.
  public var isOutage: Bool {
    [.unavailable, .unimplemented, .deadlineExceeded, .resourceExhausted, .aborted].contains(code)
  }

  /// The stable name with which services begin their messages.
  public var rule: String { message.split(separator: ":").first.map(String.init) ?? code.name }

  /// The other service refused by this rule.
  public func isRefusal(by rule: String) -> Bool { self.rule == rule }
}
