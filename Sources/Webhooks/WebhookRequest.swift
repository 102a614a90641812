internal import Base
internal import Outgoing

/// How a receiver answered.
enum WebhookOutcome: Hashable, Sendable {
  case accepted(status: Int)
  /// - Parameters:
  ///   - status: the answer's HTTP status; 0 without an answer.
  ///   - isOfReceiver: whether other events would fail as well, so that nothing is sent to the receiver for a pause.
  ///   - isGone: whether the receiver has answered that it wants no events any more.
  case failed(status: Int, String, isOfReceiver: Bool, isGone: Bool, retryAfter: Duration?)
  /// The request was cancelled, as when the process ends. It says nothing about the receiver.
  case cancelled

  init(_ answer: OutgoingAnswer) {
    let status = answer.status
    guard !(200...299).contains(status) else {
      self = .accepted(status: status)
      return
    }
    let words =
      (300...399).contains(status)
      ? "the receiver answered \(status); redirects are not followed" : "the receiver answered \(status)"
    let isOfReceiver = status >= 500 || [401, 403, 404, 408, 425, 429].contains(status) || (300...399).contains(status)
    let wait = answer["retry-after"].flatMap { Int64($0) }.map { seconds in
      min(Duration.seconds(max(seconds, 0)), WebhookPolicy.longestRetryAfter)
    }
    self = .failed(status: status, words, isOfReceiver: isOfReceiver, isGone: status == 410, retryAfter: wait)
  }

  init(_ error: OutgoingError) {
    self =
      error.kind == .cancelled
      ? .cancelled : .failed(status: 0, error.description, isOfReceiver: true, isGone: false, retryAfter: nil)
  }
}

extension OutgoingClient {
  /// Sends a message once.
  func deliver(
    _ message: WebhookMessage, to url: String, _ secrets: WebhookSecrets, at now: Instant, within timeout: Duration
  ) async -> WebhookOutcome {
    var request = OutgoingRequest("POST", url, headers: secrets.headers(of: message, at: now), body: message.body)
    request.timeout = timeout
    request.mostBytes = WebhookPolicy.mostAnswerBytes
    request.ignoresBody = true
    do {
      return WebhookOutcome(try await send(request))
    } catch {
      return WebhookOutcome(error)
    }
  }
}
