import BenchKit
import Storage
import Synchronization

/// The rows that Storage and its peers write and read.
enum BenchStore {
  static let insert = Statement(
    "rows.insert", "INSERT INTO rows (tenant, id, place, body) VALUES ({tenant}, ?, ?, ?)")
  static let find = Statement("rows.find", "SELECT id, place, body FROM rows WHERE tenant = {tenant} AND id = ?")

  static let schema = Schema(
    name: "bench",
    migrations: [
      Migration(
        1, "rows",
        "CREATE TABLE rows (tenant TEXT NOT NULL, id TEXT NOT NULL, place BIGINT NOT NULL, body TEXT NOT NULL, "
          + "PRIMARY KEY (tenant, id))")
    ],
    statements: [insert, find])

  static let body = String(repeating: "x", count: 200)
}

/// One engine's database, opened for measuring.
struct Contender: Stoppable {
  let database: Database
  let scope: Scope
  private let numbers = Counter()

  init(_ location: DatabaseLocation, keys: MasterKeys) async throws {
    guard let tenant = Tenant("bench") else { preconditionFailure() }
    database = try await Database.open(location, schema: BenchStore.schema, keys: keys)
    scope = database.scope(tenant)
  }

  /// Runs `body` on the executor of a service's handlers.
  func atHome<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
    try await Task(executorPreference: database.executor, operation: body).value
  }

  func fill() async throws {
    try await scope.write { transaction in
      for index in 0..<1000 { try transaction.run(BenchStore.insert, "row-\(index)", index, BenchStore.body) }
    }
  }

  func writeOne() async throws {
    let number = numbers.next()
    try await scope.write { try $0.run(BenchStore.insert, "new-\(number)", number, BenchStore.body) }
  }

  func readHundred() async throws {
    try await scope.read { snapshot in
      for index in 0..<100 {
        let row = try snapshot.one(BenchStore.find, "row-\(index * 37 % 1000)")
        let (id, place, body): (String, Int, String) = (try row.get(0), try row.get(1), try row.get(2))
        blackHole((id, place, body))
      }
    }
  }

  func readOne() async throws {
    let body: String = try await scope.read { try $0.one(BenchStore.find, "row-7").get("body") }
    blackHole(body)
  }

  func stop() async { await database.close() }
}

/// Numbers of which each is given out once.
final class Counter: Sendable {
  private let value = Mutex(0)

  func next() -> Int {
    value.withLock { value in
      value += 1
      return value
    }
  }
}
