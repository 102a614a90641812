internal import Base
internal import RPC

extension Status {
  /// A refusal for want of room, which may be free again after `wait`.
  static func exhausted(_ message: String, wait: Duration = .seconds(1)) -> Status {
    Status(
      .resourceExhausted, message, metadata: ["retry-after-ms": String(max(1, wait.wholeMilliseconds))])
  }
}
