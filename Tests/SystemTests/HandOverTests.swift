import Base
import TestSupport
import Testing

/// Processes that are replaced one after the other, the new one first, while clients call without pause.
@Suite(.serialized) struct HandOverTests {
  /// The most calls that may have to be repeated: one in so many.
  private static let oneIn = 50

  @Test("while every process is replaced, callers repeat at most one call in fifty", .timeLimit(.minutes(5)))
  func replacing() async throws {
    let fleet = try await HandOverFleet.start()
    let admin = try await fleet.key("load", ["--kind", "person", "--grants", "admin@*,coordinator@*"])
    let device = try await fleet.key("tester", ["--kind", "device"])
    // Changes with idempotency keys over connections that are kept; and calls and streams over gRPC and HTTP/1.1, one
    // after the other.
    let changes = try await fleet.changes(with: admin)
    let steady = try await SteadyCaller.start(["http://\(fleet.address)", fleet.address, device])
    try await Task.sleep(for: .seconds(1))
    for service in HandOverFleet.Service.allCases { try await fleet.replace(service) }
    for number in 0..<2 { try await fleet.replaceGateway(number) }
    try await Task.sleep(for: .seconds(1))
    let calls = try await steady.end()
    let (made, repeats) = try await changes.end()
    #expect(made > 200 && repeats * Self.oneIn <= made, "\(repeats) of \(made) changes were repeated")
    let failed = calls.filter { $0.code != "OK" }
    #expect(failed.allSatisfy { $0.code == "UNAVAILABLE" }, "\(failed.prefix(10))")
    #expect(calls.count > 200 && failed.count * Self.oneIn <= calls.count, "\(failed.count) of \(calls.count)")
    try await fleet.stop()
  }

  @Test(
    "a field that is drawn in is watched while its gateways are replaced, and keeps none of them",
    .timeLimit(.minutes(5)))
  func watching() async throws {
    let fleet = try await HandOverFleet.start()
    let device = try await fleet.key("tester", ["--kind", "device"])
    let watching = try await fleet.watching(with: device)
    try await Task.sleep(for: .seconds(1))
    // Each ends with code 0, which one that still has a stream at its drain limit does not.
    for number in 0..<2 { try await fleet.replaceGateway(number) }
    try await Task.sleep(for: .seconds(1))
    let (points, streams) = try await watching.end()
    #expect(points > 50 && streams > 1 && streams <= 4, "\(points) points by \(streams) streams")
    try await fleet.stop()
  }
}
