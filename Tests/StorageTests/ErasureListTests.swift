import Base
import Storage
import StorageTestKit
import Synchronization
import TestSupport
import Testing

@Suite("a restored backup brings back nothing that was erased, and frees nothing that is held")
struct ErasureListTests {
  private func put(_ scope: Scope, _ ids: String...) async throws {
    for id in ids { try await scope.write { try $0.vault.put(Array(id.utf8), as: "name", of: .named(id)) } }
  }

  private func open(
    _ place: DatabaseLocation, like test: TestDatabase, _ list: String,
    alongside: @escaping @Sendable (Transaction, Subject) throws -> Void = { _, _ in }
  ) async throws -> Database {
    try await Database.open(
      place, schema: test.schema, keys: test.keys, erasures: try ErasureList(list), alongside: alongside)
  }

  @Test("what was done after the backup is done again when the database opens", arguments: TestEngine.allCases)
  func restored(engine: TestEngine) async throws {
    let test = try await engine.makeDatabase(migrations: NoteStore.migrations, statements: NoteStore.statements)
    let (list, archive) = (test.folder.file("list"), test.folder.file("backup.assent"))
    let database = try await open(test.location, like: test, list)
    let scope = database.scope(.named("a"))
    try await put(scope, "gone", "held", "freed", "kept")
    let old = try await scope.write { try $0.vault.placeHold(on: .named("freed"), by: "a b", reason: "a dispute") }
    _ = try await database.backup(to: archive)
    try await put(scope, "late")
    let hold = try await scope.write { transaction in
      try transaction.vault.erase(.named("gone"), by: "admin", reason: "request")
      try transaction.vault.erase(.named("late"), by: "admin", reason: "request")
      try transaction.vault.liftHold(old, by: "admin", reason: "settled")
      return try transaction.vault.placeHold(on: .named("held"), by: "admin", reason: "an order")
    }
    await database.close()

    for target in TestEngine.allCases {
      let place = try await target.emptyPlace(in: test.folder, schema: test.schema.name)
      _ = try await Database.restore(archive, to: place)
      let followed = Mutex<[String]>([])
      let restored = try await open(place, like: test, list) { _, subject in
        followed.withLock { $0.append(subject.id) }
      }
      let copy = restored.scope(.named("a"))
      #expect(followed.withLock { $0.sorted() } == ["gone", "late"])
      try await copy.read { (snapshot: Snapshot) throws -> Void in
        for id in ["gone", "late"] { #expect(try snapshot.vault.isErased(.named(id)), "\(id)") }
        #expect(try snapshot.vault.get("name", of: .named("kept")) == Array("kept".utf8))
        #expect(try snapshot.vault.holds(on: .named("held")).map(\.id) == [hold])
        #expect(try snapshot.vault.holds(on: .named("freed")).isEmpty)
      }
      await #expect(throws: DatabaseError.self) { try await put(copy, "late") }
      #expect(try await restored.check().problems == [])
      let events = try await copy.read { try $0.lastEvent() }
      await restored.close()
      // It is done once.
      let again = try await open(place, like: test, list)
      #expect(try await again.scope(.named("a")).read { try $0.lastEvent() } == events)
      await again.close()
    }
    await test.database.close()
  }

  @Test("a tenant's damaged keys keep no other's erasures from being done again", arguments: TestEngine.allCases)
  func damagedTenant(engine: TestEngine) async throws {
    let test = try await engine.makeDatabase(migrations: NoteStore.migrations, statements: NoteStore.statements)
    let (list, archive) = (test.folder.file("list"), test.folder.file("backup.assent"))
    let database = try await open(test.location, like: test, list)
    var old: [String: String] = [:]
    for name in ["a", "b"] {
      try await put(database.scope(.named(name)), "gone", "held", "freed")
      old[name] = try await database.scope(.named(name)).write { transaction in
        try transaction.vault.placeHold(on: .named("freed"), by: "admin", reason: "a dispute")
      }
    }
    _ = try await database.backup(to: archive)
    var holds: [String: [String]] = [:]
    for name in ["a", "b"] {
      try await put(database.scope(.named(name)), "late")
      holds[name] = try await database.scope(.named(name)).write { [old] transaction in
        try transaction.vault.erase(.named("gone"), by: "admin", reason: "request")
        if let hold = old[name] { try transaction.vault.liftHold(hold, by: "admin", reason: "settled") }
        return try ["held", "late"].map {
          try transaction.vault.placeHold(on: .named($0), by: "admin", reason: "an order")
        }
      }
    }
    for table in ["storage_vault_tenants", "storage_log_keys"] {
      let place = try await engine.emptyPlace(in: test.folder, schema: test.schema.name)
      _ = try await Database.restore(archive, to: place)
      try await place.alter(
        "UPDATE \(table) SET wrapped = \(engine.literal([1])) WHERE tenant = 'a'", schema: test.schema.name)
      // Without its vault's key a tenant's subjects are erased, held and freed all the same. Without its log's key they
      // are not: then nobody is served who was erased.
      let damaged = table == "storage_log_keys" ? ["a"] : []
      if !damaged.isEmpty {
        let error = await #expect(throws: DatabaseError.self) { try await open(place, like: test, list) }
        #expect(error?.isDamage == true && error?.message.contains("tenant 'a' cannot be done again") == true)
      }
      // After the refusal without the list, to see what was done.
      let known = try damaged.isEmpty ? ErasureList(list) : nil
      let restored = try await Database.open(place, schema: test.schema, keys: test.keys, erasures: known)
      for name in ["a", "b"] where !damaged.contains(name) {
        let (isErased, held) = try await restored.scope(.named(name)).read { snapshot in
          let held = try ["held", "late", "freed"].flatMap { try snapshot.vault.holdsAsFarAsKnown(on: .named($0)) }
          return (try snapshot.vault.isErased(.named("gone")), held.map(\.id))
        }
        #expect(isErased && held == holds[name], "\(table): \(name)")
      }
      await restored.close()
    }
    await database.close()
    await test.database.close()
  }

  @Test("damaged data that keep an erasure from being done again keep the database closed")
  func damagedRow() async throws {
    let test = try await TestEngine.sqlite.makeDatabase(
      migrations: NoteStore.migrations, statements: NoteStore.statements)
    let (list, archive) = (test.folder.file("list"), test.folder.file("backup.assent"))
    let database = try await open(test.location, like: test, list)
    for name in ["a", "b"] { try await put(database.scope(.named(name)), "gone") }
    _ = try await database.backup(to: archive)
    for name in ["a", "b"] {
      try await database.scope(.named(name)).write { transaction in
        try transaction.vault.erase(.named("gone"), by: "admin", reason: "request")
      }
    }
    let place = try await TestEngine.sqlite.emptyPlace(in: test.folder, schema: test.schema.name)
    _ = try await Database.restore(archive, to: place)
    for code in [DatabaseError.Code.corrupt, .unexpectedRow] {
      let error = await #expect(throws: DatabaseError.self) {
        try await open(place, like: test, list) { transaction, _ in
          if transaction.tenant == .named("a") { throw DatabaseError(code, "a role was altered") }
        }
      }
      #expect(error?.code == code && error?.message.contains("tenant 'a' cannot be done again") == true)
    }
    let restored = try await Database.open(place, schema: test.schema, keys: test.keys)
    #expect(try await restored.scope(.named("b")).read { try $0.vault.isErased(.named("gone")) })
    for database in [restored, database, test.database] { await database.close() }
  }

  @Test("a subject who has nothing but a hold of before a restore gets a key with the first data")
  func heldWithoutKey() async throws {
    let test = try await TestEngine.sqlite.makeDatabase(
      migrations: NoteStore.migrations, statements: NoteStore.statements)
    let (list, archive) = (test.folder.file("list"), test.folder.file("backup.assent"))
    let database = try await open(test.location, like: test, list)
    try await put(database.scope(.named("a")), "first")
    _ = try await database.backup(to: archive)
    try await put(database.scope(.named("a")), "late")
    try await database.scope(.named("a")).write {
      try $0.vault.placeHold(on: .named("late"), by: "admin", reason: "an order")
    }
    let place = try await TestEngine.sqlite.emptyPlace(in: test.folder, schema: test.schema.name)
    _ = try await Database.restore(archive, to: place)
    let saved = "CREATE TABLE saved AS SELECT wrapped FROM storage_vault_tenants;"
    try await place.alter("\(saved) UPDATE storage_vault_tenants SET wrapped = x'01'", schema: test.schema.name)
    try await open(place, like: test, list).close()
    try await place.alter(
      "UPDATE storage_vault_tenants SET wrapped = (SELECT wrapped FROM saved); DROP TABLE saved",
      schema: test.schema.name)
    let restored = try await open(place, like: test, list)
    let scope = restored.scope(.named("a"))
    #expect(try await scope.read { try $0.vault.get("name", of: .named("late")) } == nil)
    #expect(try await restored.check().problems == [])
    try await put(scope, "late")
    #expect(try await scope.read { try $0.vault.get("name", of: .named("late")) } == Array("late".utf8))
    let error = await #expect(throws: DatabaseError.self) {
      try await scope.write { try $0.vault.erase(.named("late"), by: "admin", reason: "request") }
    }
    #expect(error?.code == .held)
    for database in [restored, database, test.database] { await database.close() }
  }

  @Test(
    "what was done before a crash and not written down is written down at the next start",
    arguments: TestEngine.allCases)
  func crashed(engine: TestEngine) async throws {
    let test = try await engine.makeDatabase(migrations: NoteStore.migrations, statements: NoteStore.statements)
    let (list, archive) = (test.folder.file("list"), test.folder.file("backup.assent"))
    let scope = test.database.scope(.named("a"))
    try await put(scope, "gone")
    _ = try await test.database.backup(to: archive)
    // Without a list, as if the process had died between the commit and the line.
    try await scope.write { try $0.vault.erase(.named("gone"), by: "admin", reason: "request") }
    try Files.write(Array("erased a go".utf8), to: list, mode: 0o600)
    let reopened = try await open(test.location, like: test, list)
    await reopened.close()
    let place = try await engine.emptyPlace(in: test.folder, schema: test.schema.name)
    _ = try await Database.restore(archive, to: place)
    let restored = try await open(place, like: test, list)
    #expect(try await restored.scope(.named("a")).read { try $0.vault.isErased(.named("gone")) })
    await restored.close()
    await test.database.close()
  }

  @Test(
    "what cannot be written down was done all the same, is said to be, and is written down once that is possible",
    arguments: TestEngine.allCases)
  func unlisted(engine: TestEngine) async throws {
    let test = try await engine.makeDatabase(migrations: NoteStore.migrations, statements: NoteStore.statements)
    let path = test.folder.file("list")
    let isFull = Mutex(false)
    let told = Mutex<[Bool]>([])
    let list = try ErasureList(
      path, report: { problem in told.withLock { $0.append(problem != nil) } },
      room: { count in isFull.withLock { $0 } ? 0 : count })
    let database = try await Database.open(test.location, schema: test.schema, keys: test.keys, erasures: list)
    let scope = database.scope(.named("a"))
    try await put(scope, "gone", "held")
    isFull.withLock { $0 = true }
    let once = Idempotency(caller: "admin", key: "k", request: [1])
    func erase() async throws -> IdempotentAnswer {
      try await scope.write(once: once) { transaction in
        try transaction.vault.erase(.named("gone"), by: "admin", reason: "request")
        return [1]
      }
    }
    // A repeat finds the answer, and is not told that all is well either.
    for _ in 0..<2 {
      let error = await #expect(throws: DatabaseError.self) { try await erase() }
      #expect(error?.code == .unfollowed)
    }
    #expect(try await scope.read { try $0.vault.isErased(.named("gone")) })
    #expect(database.listProblem != nil)
    // Nobody else's repeat is kept waiting.
    let other = Idempotency(caller: "admin", key: "k", request: [2])
    for isRepeat in [false, true] {
      #expect(try await database.scope(.named("b")).write(once: other) { _ in [2] }.isRepeat == isRepeat)
    }
    let failure = await #expect(throws: DatabaseError.self) {
      try await scope.write { try $0.vault.placeHold(on: .named("held"), by: "admin", reason: "an order") }
    }
    #expect(failure?.code == .unfollowed)
    isFull.withLock { $0 = false }
    try await eventually("the list is written", database.listProblem) { $0 == nil }
    #expect(try await erase().isRepeat)
    let lines = String(decoding: try Files.read(path), as: UTF8.self).split(separator: "\n")
    let facts = lines.map { $0.split(separator: " ").prefix(3).joined(separator: " ") }
    #expect(facts == ["erased a gone", "held a held"])
    #expect(told.withLock { $0 } == [true, false])
    for database in [database, test.database] { await database.close() }
  }

  @Test(
    "lists of several machines make one list in any order, for processes that open a restored database at a time",
    arguments: TestEngine.allCases)
  func together(engine: TestEngine) async throws {
    let test = try await engine.makeDatabase(migrations: NoteStore.migrations, statements: NoteStore.statements)
    let (archive, list) = (test.folder.file("backup.assent"), test.folder.file("list"))
    let lists = ["one", "two"].map { test.folder.file($0) }
    try await put(test.database.scope(.named("a")), "gone", "held", "freed")
    _ = try await test.database.backup(to: archive)
    let one = try await open(test.location, like: test, lists[0])
    let two = try await open(test.location, like: test, lists[1])
    let holds = try await one.scope(.named("a")).write { transaction in
      try ["gone", "held", "freed"].map {
        try transaction.vault.placeHold(on: .named($0), by: "admin", reason: "an order")
      }
    }
    try await two.scope(.named("a")).write { transaction in
      try transaction.vault.liftHold(holds[0], by: "admin", reason: "settled")
      try transaction.vault.erase(.named("gone"), by: "admin", reason: "request")
      try transaction.vault.liftHold(holds[2], by: "admin", reason: "settled")
    }
    await one.close()
    await two.close()
    // What came last stands first.
    try Files.write(try lists.reversed().flatMap { try Files.read($0) }, to: list, mode: 0o600)

    let place = try await engine.emptyPlace(in: test.folder, schema: test.schema.name)
    _ = try await Database.restore(archive, to: place)
    let followed = Mutex<[String]>([])
    let follow: @Sendable (Transaction, Subject) -> Void = { _, subject in followed.withLock { $0.append(subject.id) } }
    async let left = open(place, like: test, list, alongside: follow)
    async let right = open(place, like: test, list, alongside: follow)
    let (restored, beside) = try await (left, right)
    #expect(followed.withLock { $0 } == ["gone"])
    try await restored.scope(.named("a")).read { (snapshot: Snapshot) throws -> Void in
      #expect(try snapshot.vault.isErased(.named("gone")))
      #expect(try snapshot.vault.holds(on: .named("held")).map(\.id) == [holds[1]])
      #expect(try snapshot.vault.holds(on: .named("freed")).isEmpty)
    }
    #expect(try await restored.check().problems == [])
    for database in [restored, beside, test.database] { await database.close() }
  }
}
