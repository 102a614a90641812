/// Something that runs beside a measurement and has to end with it: programs, connections, databases.
public protocol Stoppable {
  func stop() async throws
}

extension Stoppable {
  /// Measures with what was started, and stops it afterwards, also after an error: whatever went on running would take
  /// time from the rows that are measured next.
  public func lend<Answer>(_ measure: (Self) async throws -> Answer) async throws -> Answer {
    let answer: Answer
    do {
      answer = try await measure(self)
    } catch {
      // That it cannot be stopped either says less than the first error.
      try? await stop()
      throw error
    }
    try await stop()
    return answer
  }
}
