internal import Base
package import Testing

/// Looks again and again until what is seen is as wanted, for what can only be looked at and not be awaited. This is
/// the one place where a test sleeps until something has come to be.
///
/// Two minutes are long enough for any machine. When they or the test's time limit are over, the test fails here and
/// says what never came, and what was seen last.
@discardableResult
package func eventually<Seen>(
  _ awaited: String, _ look: @autoclosure () async throws -> Seen, sourceLocation: SourceLocation = #_sourceLocation,
  where isWanted: (Seen) -> Bool
) async throws -> Seen {
  let end = Clock.system.monotonic + .seconds(120)
  while true {
    let seen = try await look()
    if isWanted(seen) { return seen }
    let hasTime = Clock.system.monotonic < end && !Task.isCancelled
    try #require(
      hasTime, "it never came that \(awaited); the last that was seen: \(seen)", sourceLocation: sourceLocation)
    try? await Task.sleep(for: .milliseconds(5))
  }
}

/// Looks again and again until something holds.
package func eventually(
  _ awaited: String, _ holds: @autoclosure () async throws -> Bool, sourceLocation: SourceLocation = #_sourceLocation
) async throws {
  try await eventually(awaited, try await holds(), sourceLocation: sourceLocation) { $0 }
}
