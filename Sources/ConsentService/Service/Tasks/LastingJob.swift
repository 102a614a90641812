internal import Bus
internal import Storage

/// How often a job is tried before another one goes on in its place.
private let attempts = 8
private let pause = Duration.seconds(600)

extension JobHandler {
  /// A handler of jobs that another service has to hear of, however long that takes.
  ///
  /// A job is given up after ten attempts. That is right where the other service refuses, and somebody has to look; what
  /// is only a matter of time may last longer, so another job goes on.
  ///
  /// - Parameter isPassing: whether an answer is a matter of time.
  static func lasting(
    _ kind: String, while isPassing: @escaping @Sendable (StatusCode) -> Bool,
    work: @escaping @Sendable (Job) async throws -> Void
  ) -> JobHandler {
    JobHandler(kind) { job in
      do {
        try await work(job)
      } catch let status as Status where isPassing(status.code) && job.attempt >= attempts {
        try await job.finish { try $0.enqueue(kind, job.payload, after: pause) }
      }
    }
  }
}

extension StatusCode {
  var isOutage: Bool { self == .unavailable || self == .deadlineExceeded }
}
