import AccountContract
import Base
import BenchKit
import Bus
import RPC
import Wire

/// Everything that changed for one person, beside reading the same rows with SQLite alone.
enum DownloadCases {
  static func measure(_ bench: inout Bench, _ system: SyncSystem, database: String) async throws {
    let count = bench.options.number("changes", default: 50_000)
    let device = try await system.device("ward-4", people: 1)
    guard let person = device.people.first else { throw SyncFailure("nobody is on the device") }
    // Items that cannot be carried out are kept for their person, and each is a change.
    for start in stride(from: 0, to: count, by: 1000) {
      let items = (start..<min(start + 1000, count)).map { number in
        QueueItem(
          itemID: "kept-\(number)", personID: person.id, method: "no.such.Service/Method",
          request: [UInt8](repeating: 7, count: 200))
      }
      _ = try await system.sync(device).pushQueue(
        PushQueueRequest(items: items, grants: [person.grant]), deadline: .seconds(120))
    }
    let peer = Peer.compiled("sync/select.c", flags: ["-lsqlite3"], arguments: [database, person.id, "\(count)"])
    let client = system.sync(person, at: device)
    await bench.compare(
      "down", "\(count) changes of one person", unit: .perSecond,
      ours: {
        let start = Clock.system.monotonic
        var got = 0
        for try await answer in try client.pullChanges(PullChangesRequest(), deadline: .seconds(300)) {
          got += answer.changes.count { $0.kind == .item }
        }
        guard got == count else { throw SyncFailure("\(got) of \(count) changes came") }
        return Double(count) / (Double((Clock.system.monotonic - start).wholeNanoseconds) / 1e9)
      },
      peers: ["bare_select": { try await peer.measure("select") }])
  }
}
