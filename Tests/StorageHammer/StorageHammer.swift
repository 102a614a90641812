import Base
import Storage
import StorageTestKit

/// Writes as fast as it can with 32 writers, and prints what was acknowledged, until it is killed.
///
///     StorageHammer LOCATION SCHEMA NEXT,NEXT,… [FOLDER]
///
/// Each writer counts on from its NEXT. It prints "open" when it begins, and "WRITER NUMBER" for each acknowledgement.
/// Given a folder, it also erases people (`Eraser`). Given a file of heads by `HAMMER_HEADS`, it signs heads meanwhile.
@main struct StorageHammer {
  private static let usage = "usage: StorageHammer LOCATION SCHEMA NEXT,NEXT,… [FOLDER]"

  static func main() async throws {
    let words = CommandLine.arguments
    if words.contains("--help") || words.contains("-h") { return StandardOutput.write("\(usage)\n") }
    guard (4...5).contains(words.count), let location = DatabaseLocation(words[1]), let tenant = Tenant("hammered")
    else {
      throw DatabaseError(.badStatement, usage)
    }
    let folder = words.dropFirst(4).first
    let heads = Environment.current["HAMMER_HEADS"]
    let database = try await Database.open(
      location, schema: HammerSchema.named(words[2]), keys: .example, connections: 8,
      erasures: try folder.map { try Eraser.list(in: $0) })
    let eraser = try folder.map { try Eraser(database, tenant, in: $0) }
    let scope = database.scope(tenant)
    let signer = try heads.map {
      EvidenceSigner(database, key: .example(), installation: "hammer", file: try HeadFile($0))
    }
    // What the hammer before this one wrote has a head at once, however soon this one is killed.
    try await signer?.compareWithHeads()
    try await signer?.signAll()
    StandardOutput.write("open\n")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (writer, next) in words[3].split(separator: ",").enumerated() {
        guard let next = Int(next) else { continue }
        // Half of the writers run on the database's threads, as services' handlers do, and make their changes there.
        group.addTask(executorPreference: writer.isMultiple(of: 2) ? database.executor : globalConcurrentExecutor) {
          var number = next
          while true {
            try await Self.write(number, of: writer, to: scope)
            StandardOutput.write("\(writer) \(number)\n")
            number += 1
          }
        }
      }
      if let eraser { group.addTask { try await eraser.run() } }
      if let signer { group.addTask { try await Self.sign(with: signer) } }
      try await group.waitForAll()
    }
  }

  /// Signs heads as a service does, only more often. What could not be signed is left to the next time.
  private static func sign(with signer: EvidenceSigner) async throws {
    while true {
      try? await signer.signAll()
      try await Task.sleep(for: .milliseconds(10))
    }
  }

  /// One change like a service's: a keyed row, an event, and the answer for a repeat.
  private static func write(_ number: Int, of writer: Int, to scope: Scope) async throws {
    let name = "\(writer) \(number)"
    let once = Idempotency(caller: "hammer", key: name, request: Array(name.utf8))
    _ = try await scope.write(once: once, within: .seconds(60)) { transaction in
      try transaction.run(HammerSchema.insert, writer, number)
      transaction.append("hit", Array(name.utf8), to: "hammer")
      return Array("done".utf8)
    }
  }
}
