import AccountContract
import Base
import BenchKit
import ConsentLoad
import RPC
import SignatureContract
import Wire

/// Many devices that sync at once: how much longer the slowest takes than the one in the middle.
enum ManyDevices {
  static func measure(_ bench: inout Bench, _ system: SyncSystem) async throws {
    let count = bench.options.number("devices", default: 1000)
    var devices: [SyncDevice] = []
    for number in 0..<count { devices.append(try await system.device("pad-\(number)", people: 1)) }
    let times = try await withThrowingTaskGroup(of: Double.self) { group in
      for device in devices {
        group.addTask(executorPreference: Callers.thread) { try await time(of: device, system) }
      }
      return try await group.reduce(into: [Double]()) { $0.append($1) }
    }.sorted()
    bench.report(
      "devices", "\(count) devices at once, 20 changes each: the slowest beside the median", unit: .milliseconds,
      value: times[times.count - 1], peer: "median", peerValue: times[times.count / 2])
  }

  /// Milliseconds from the first part to the last change.
  private static func time(of device: SyncDevice, _ system: SyncSystem) async throws -> Double {
    guard let person = device.people.first else { throw SyncFailure("nobody is on the device") }
    let start = Clock.system.monotonic
    let request = try CreateFieldRequest(
      reference: FieldReference(subjectID: person.id), settings: FieldSettings(header: "Sign", required: true)
    ).encoded()
    let items = (0..<20).map { number in
      QueueItem(
        itemID: "many-\(number)", personID: person.id, method: "assent.signature.v1.SignatureService/CreateField",
        request: request)
    }
    let options = CallOptions(waitsForReady: true)
    var left = items
    // What waits because a service is busy is sent again, as devices do.
    while !left.isEmpty {
      guard Clock.system.monotonic - start < .seconds(300) else {
        throw SyncFailure("items still wait after five minutes: \(left.count)")
      }
      let answer = try await system.sync(device).pushQueue(
        PushQueueRequest(items: left, grants: [person.grant]), deadline: .seconds(300), options: options)
      if let other = answer.outcomes.first(where: { $0.state != .done && $0.state != .waiting }) {
        throw SyncFailure("an item was not done: \(other)")
      }
      left = zip(left, answer.outcomes).filter { $0.1.state == .waiting }.map(\.0)
      if !left.isEmpty { try await Task.sleep(for: .milliseconds(200)) }
    }
    for try await _ in try system.sync(person, at: device).pullChanges(
      PullChangesRequest(), deadline: .seconds(300), options: options)
    {}
    return Double((Clock.system.monotonic - start).wholeNanoseconds) / 1e6
  }
}
