/// For what never ends by itself.
package func untilCancelled() async throws {
  try await Task.sleep(for: .seconds(3600))
}

/// Lets a random time pass, so that what follows happens at any point of what is under way.
package func randomPause(milliseconds: ClosedRange<Int>) async throws {
  try await Task.sleep(for: .milliseconds(Int.random(in: milliseconds)))
}
