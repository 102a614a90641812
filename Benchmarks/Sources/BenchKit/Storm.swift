internal import Base
internal import Synchronization

/// Callers who ask again and again while something else is measured.
public enum Storm {
  /// Runs `body` while each of the callers repeats its call. All of them have ended when this returns.
  ///
  /// Refusals count as well: a refused caller asks again. But if no call succeeds, there was no storm.
  ///
  /// - Parameter rise: how long the callers ask before the body begins.
  public static func during<Answer>(
    _ callers: [@Sendable () async throws -> Void], rise: Duration, _ body: () async throws -> Answer
  ) async throws -> Answer {
    let answered = Answered()
    let tasks = callers.map { call in
      Task {
        while !Task.isCancelled {
          do {
            try await call()
            answered.count.add(1, ordering: .relaxed)
          } catch {
            if !Task.isCancelled { answered.refusal.withLock { $0 = "\(error)" } }
            await Task.yield()
          }
        }
      }
    }
    let result: Swift.Result<Answer, any Error>
    do {
      try await Task.sleep(for: rise)
      result = .success(try await body())
    } catch {
      result = .failure(error)
    }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
    let answer = try result.get()
    guard answered.count.load(ordering: .relaxed) > 0 else {
      throw NoStorm(callers: callers.count, refusal: answered.refusal.withLock(\.self))
    }
    return answer
  }
}

private final class Answered: Sendable {
  let count = Atomic(0)
  /// What a caller was told last who got no answer.
  let refusal = Mutex("nothing")
}

private struct NoStorm: Error, CustomStringConvertible {
  let callers: Int
  let refusal: String
  var description: String { "none of the \(callers) callers of the storm got an answer; one was told: \(refusal)" }
}
