import Base
import Bus
import InteropContract
import RPC
import ServiceKit
import TestSupport
import Testing
import Wire

/// What happens to a thousand calls in flight when processes are killed, stopped and started again.
@Suite(.serialized) struct FaultTests {
  private static let callCount = 1000

  /// The outcomes of many calls made at once, each with its number as its payload.
  private func outcomes(
    of numbers: Range<Int>, sleeping milliseconds: UInt32, key: CallOptions.IdempotencyKey,
    on channel: BusChannel
  ) async -> [Int: Status] {
    let client = InteropServiceClient(channel)
    return await withTaskGroup(of: (Int, Status).self) { group in
      for number in numbers {
        group.addTask {
          var request = UnaryCallRequest()
          request.payload = Payload()
          request.payload?.body = Array("\(number)".utf8)
          request.sleepMs = milliseconds
          do throws(Status) {
            _ = try await client.unaryCall(
              request, deadline: .seconds(60), options: CallOptions(idempotencyKey: key))
            return (number, .ok)
          } catch {
            return (number, error)
          }
        }
      }
      return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
  }

  /// How often each call began, by the workers' journals.
  private func begun(in journals: [String]) throws -> [Int: Int] {
    let lines = try journals.flatMap { String(decoding: try Files.read($0), as: UTF8.self).split(separator: "\n") }
    return lines.reduce(into: [:]) { counts, line in counts[Int(line) ?? -1, default: 0] += 1 }
  }

  /// Waits until this number of calls has begun.
  private func untilBegun(_ count: Int, in journals: [String]) async throws {
    try await eventually("\(count) calls have begun", begun(in: journals).count) { $0 >= count }
  }

  /// Fills both workers' slots with calls that run for long, more follow, and does this to a worker while they run.
  private func withLongCalls(
    filling slots: Int, of victim: String, on channel: BusChannel, _ fault: () -> Void
  ) async throws -> [Int: Status] {
    let filling = 0..<2 * slots
    async let long = outcomes(of: filling, sleeping: 2000, key: .automatic, on: channel)
    // A call that has begun runs for as long as it takes to be seen here, also on a slow machine.
    try await untilBegun(slots, in: [victim])
    async let short = outcomes(of: filling.upperBound..<Self.callCount, sleeping: 20, key: .automatic, on: channel)
    fault()
    return await long.merging(short) { long, _ in long }
  }

  /// How many calls have begun more than once.
  private func haveRunAgain(in journals: [String]) throws -> Int {
    try begun(in: journals).count { $0.key >= 0 && $0.value > 1 }
  }

  private func answers(_ channel: BusChannel) async throws {
    _ = try await InteropServiceClient(channel).emptyCall(
      EmptyCallRequest(), deadline: .seconds(20), options: CallOptions(waitsForReady: true))
  }

  @Test("when a worker is killed, all keyed calls succeed on another one", .timeLimit(.minutes(3)))
  func killedWorkerKeyed() async throws {
    let system = try await TestSystem.start()
    let journals = ["one", "two"].map { system.folder.file($0) }
    let victim = try await system.startWorker("InteropService", ["--slots", "64", "--journal", journals[0]])
    _ = try await system.startWorker("InteropService", ["--slots", "64", "--journal", journals[1]])
    let connection = try await system.connect()
    let ended = try await withLongCalls(filling: 64, of: journals[0], on: connection.channel) { victim.send(.kill) }
    #expect(ended.values.filter { !$0.isOK } == [])
    #expect(ended.count == Self.callCount)
    #expect(try haveRunAgain(in: journals) > 0, "calls that the victim had begun went to the other one")
    try await connection.close()
  }

  @Test(
    "when a worker is killed, calls without a key have one outcome each and none runs twice", .timeLimit(.minutes(3)))
  func killedWorkerUnkeyed() async throws {
    let system = try await TestSystem.start()
    let journals = ["one", "two"].map { system.folder.file($0) }
    let victim = try await system.startWorker("InteropService", ["--slots", "64", "--journal", journals[0]])
    _ = try await system.startWorker("InteropService", ["--slots", "64", "--journal", journals[1]])
    let connection = try await system.connect()
    async let outcomes = outcomes(of: 0..<Self.callCount, sleeping: 20, key: .none, on: connection.channel)
    try await untilBegun(200, in: journals)
    victim.send(.kill)
    let ended = await outcomes
    #expect(ended.count == Self.callCount)
    #expect(Set(ended.values.map(\.code)).isSubset(of: [.ok, .unavailable]))
    let counts = try begun(in: journals)
    #expect(counts.values.allSatisfy { $0 == 1 })
    #expect(ended.allSatisfy { number, status in !status.isOK || counts[number] == 1 })
    // Only calls on the killed worker are lost.
    #expect(ended.values.filter { !$0.isOK }.count <= 65)
    try await connection.close()
  }

  @Test(
    "a stopped worker's calls go to others, and its answers after it continues reach nobody", .timeLimit(.minutes(3)))
  func stoppedWorker() async throws {
    let system = try await TestSystem.start()
    let journals = ["one", "two"].map { system.folder.file($0) }
    let victim = try await system.startWorker("InteropService", ["--slots", "16", "--journal", journals[0]])
    _ = try await system.startWorker("InteropService", ["--slots", "16", "--journal", journals[1]])
    let connection = try await system.connect()
    let ended = try await withLongCalls(filling: 16, of: journals[0], on: connection.channel) { victim.send(.stop) }
    #expect(ended.values.filter { !$0.isOK } == [])
    #expect(try haveRunAgain(in: journals) > 0, "calls that the victim had begun went to the other one")
    victim.send(.continue)
    let later = await self.outcomes(of: 0..<100, sleeping: 1, key: .automatic, on: connection.channel)
    #expect(later.values.filter { !$0.isOK } == [])
    victim.send(.terminate)
    #expect(await victim.wait() == .code(0), "it joined again and left in order: \(victim.logLines)")
    try await connection.close()
  }

  @Test("when a worker is stopped and continues, calls without a key ran at most once", .timeLimit(.minutes(3)))
  func stoppedWorkerUnkeyed() async throws {
    let system = try await TestSystem.start()
    let journals = ["one", "two"].map { system.folder.file($0) }
    let victim = try await system.startWorker("InteropService", ["--slots", "16", "--journal", journals[0]])
    _ = try await system.startWorker("InteropService", ["--slots", "16", "--journal", journals[1]])
    let connection = try await system.connect()
    async let outcomes = outcomes(of: 0..<Self.callCount, sleeping: 20, key: .none, on: connection.channel)
    try await untilBegun(100, in: journals)
    victim.send(.stop)
    let ended = await outcomes
    victim.send(.continue)
    victim.send(.terminate)
    #expect(await victim.wait() == .code(0), "\(victim.logLines)")
    #expect(ended.count == Self.callCount)
    #expect(Set(ended.values.map(\.code)).isSubset(of: [.ok, .unavailable]))
    #expect(ended.values.filter { !$0.isOK }.count <= 17)
    #expect(try begun(in: journals).values.allSatisfy { $0 == 1 })
    try await connection.close()
  }

  @Test("a gateway that is killed and started again recovers without help", .timeLimit(.minutes(3)))
  func restartedGateway() async throws {
    let folder = try TemporaryFolder()
    let first = try await TestSystem.startGateway(in: folder)
    let journal = folder.file("journal")
    let worker = try await RunningProgram.start(
      "InteropService", ["--bus-folder", folder.file("bus"), "--slots", "64", "--journal", journal])
    _ = try #require(await worker.line(containing: "ready"))
    let connection = try await BusConnection.open(
      .init(gateways: [BusSettings.socket(.clients, in: folder.file("bus"))]))
    try await answers(connection.channel)
    async let interrupted = outcomes(of: 0..<Self.callCount, sleeping: 200, key: .none, on: connection.channel)
    try await untilBegun(64, in: [journal])
    first.send(.kill)
    _ = await first.wait()
    let second = try await TestSystem.startGateway(in: folder)
    try await answers(connection.channel)
    let ended = await interrupted
    #expect(ended.count == Self.callCount)
    #expect(Set(ended.values.map(\.code)).isSubset(of: [.ok, .unavailable]))
    #expect(try begun(in: [journal]).values.allSatisfy { $0 == 1 })
    worker.send(.terminate)
    #expect(await worker.wait() == .code(0), "\(worker.logLines)")
    second.send(.terminate)
    #expect(await second.wait() == .code(0), "\(second.logLines)")
    try await connection.close()
  }

  @Test(
    "with two gateways, keyed calls survive the death of one, and a third that joins gets work", .timeLimit(.minutes(3))
  )
  func severalGateways() async throws {
    let folders = try (0..<2).map { _ in try TemporaryFolder() }
    let gateways = [
      try await TestSystem.startGateway(in: folders[0]), try await TestSystem.startGateway(in: folders[1]),
    ]
    let doors = folders.map { "ipc://\($0.file("bus"))/services" }.joined(separator: ",")
    let journal = folders[0].file("journal")
    let worker = try await RunningProgram.start(
      "InteropService", ["--slots", "64", "--services-door", doors, "--journal", journal])
    _ = try #require(await worker.line(containing: "ready"), "\(worker.logLines)")
    let connection = try await BusConnection.open(
      .init(gateways: folders.map { try BusSettings.socket(.clients, in: $0.file("bus")) }))
    try await answers(connection.channel)
    async let outcomes = outcomes(of: 0..<Self.callCount, sleeping: 20, key: .automatic, on: connection.channel)
    try await untilBegun(100, in: [journal])
    gateways[0].send(.kill)
    let ended = await outcomes
    #expect(ended.values.filter { !$0.isOK } == [])
    // A gateway that replaces the dead one is found, and serves.
    let third = try await TestSystem.startGateway(in: folders[0])
    gateways[1].send(.kill)
    try await answers(connection.channel)
    third.send(.terminate)
    #expect(await third.wait() == .code(0), "\(third.logLines)")
    try await connection.close()
  }
}
