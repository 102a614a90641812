import Base
import Storage
import StorageTestKit
import Synchronization
import Testing

/// The keys of the vault: how they are replaced, and what happens when one is damaged or was not given.
@Suite struct VaultKeyTests {
  private let ana = Subject.named("subject-1")

  private func open(_ engine: TestEngine, keys: MasterKeys = .example) async throws -> TestDatabase {
    try await engine.makeDatabase(migrations: NoteStore.migrations, statements: NoteStore.statements, keys: keys)
  }

  @Test("keys of every level are replaced while readers and writers go on", arguments: TestEngine.allCases)
  func rotation(engine: TestEngine) async throws {
    let (oldKey, newKey) = (MasterKeys.newKeyText(), MasterKeys.newKeyText())
    let test = try await open(engine, keys: MasterKeys(text: oldKey))
    let scope = test.database.scope(.named("a"))
    let commitment = try await scope.write { transaction in
      for index in 0..<150 { try transaction.vault.put([UInt8(index)], as: "n", of: .named("s-\(index)")) }
      return try transaction.vault.commit(to: [7], as: "seven", of: .named("s-7"))
    }
    let once = Idempotency(caller: "c", key: "k", request: [1])
    let about = Idempotency(caller: "c", key: "about", request: [1], subject: .named("s-7"))
    for idempotency in [once, about] { _ = try await scope.write(once: idempotency) { _ in [42] } }

    let traffic = Task {
      var writes = 0
      while !Task.isCancelled {
        let index = writes % 200
        try await scope.write { transaction in
          try transaction.vault.put([UInt8(index)], as: "n", of: .named("s-\(index)"))
        }
        writes += 1
      }
      return writes
    }
    try await scope.rotateKeys(by: "admin")
    let both = try await test.reopen(keys: MasterKeys(text: "# new\n\(newKey)\n# old\n\(oldKey)\n"))
    let told = Mutex(0)
    let wrapped = try await both.rotateMasterKey { number in told.withLock { $0 = number } }
    #expect(wrapped > 0 && told.withLock { $0 } == wrapped)
    traffic.cancel()
    // `traffic` uses only the old master key, and fails if it still writes after the master key was replaced.
    _ = try? await traffic.value
    #expect(try await both.rotateMasterKey() == 0)

    let new = try await test.reopen(keys: MasterKeys(text: newKey))
    let newScope = new.scope(.named("a"))
    for index in 0..<150 {
      #expect(try await newScope.read { try $0.vault.get("n", of: .named("s-\(index)")) } == [UInt8(index)])
    }
    #expect(try await newScope.read { try $0.vault.opening(of: commitment.id).value } == [7])
    for idempotency in [once, about] {
      #expect(try await newScope.write(once: idempotency) { _ in [0] }.bytes == [42])
    }
    await both.close()
    await new.close()
  }

  @Test("what a write reads while its key is rotated is not taken for damaged", arguments: TestEngine.allCases)
  func readsWhileRotated(engine: TestEngine) async throws {
    let test = try await open(engine)
    let scope = test.database.scope(.named("a"))
    let subject = Subject.named("s-7")
    try await scope.write { try $0.vault.put([7], as: "n", of: subject) }
    let repeated = Idempotency(caller: "c", key: "k", request: [1], subject: subject)
    _ = try await scope.write(once: repeated) { _ in [42] }
    let isRotated = Mutex(false)
    let traffic = Task { () async throws in
      while !isRotated.withLock({ $0 }) {
        #expect(try await scope.write { try $0.vault.get("n", of: subject) } == [7])
        #expect(try await scope.write(once: repeated) { _ in [0] }.bytes == [42])
      }
    }
    for _ in 0..<60 { try await scope.rotateSubjectKey(subject, by: "admin") }
    isRotated.withLock { $0 = true }
    try await traffic.value
  }

  @Test("a wrong master key is found when the database is opened, and named", arguments: TestEngine.allCases)
  func wrongKey(engine: TestEngine) async throws {
    let test = try await open(engine)
    try await test.database.scope(.named("a")).write { try $0.vault.put([1], as: "name", of: ana) }
    let error = await #expect(throws: DatabaseError.self) {
      try await test.reopen(keys: MasterKeys(text: MasterKeys.newKeyText()))
    }
    #expect(error?.code == .wrongKey)
    #expect(error?.message.contains("was sealed with master key") == true)
  }

  @Test("a tenant's damaged key is its own trouble: others are served, and it is named", arguments: TestEngine.allCases)
  func damagedKey(engine: TestEngine) async throws {
    for change in ["master = 'x', wrapped = \(engine.literal([1]))", "wrapped = \(engine.literal([1]))"] {
      let test = try await open(engine)
      for name in ["a", "b"] {
        try await test.database.scope(.named(name)).write { try $0.vault.put([1], as: "name", of: ana) }
      }
      await test.database.close()
      try await test.location.alter(
        "UPDATE storage_vault_tenants SET \(change) WHERE tenant = 'a'", schema: test.schema.name)

      let told = Mutex<[String]>([])
      let fresh = try await Database.open(
        test.location, schema: test.schema, keys: test.keys, reporting: { line in told.withLock { $0.append(line) } })
      let lines = told.withLock { $0 }
      #expect(lines.count == 1 && lines[0].hasPrefix("key 1 of tenant 'a' "), "\(change): \(lines)")
      let error = await #expect(throws: DatabaseError.self) {
        try await fresh.scope(.named("a")).read { try $0.vault.get("name", of: ana) }
      }
      #expect(error?.isDamage == true)
      #expect(try await fresh.scope(.named("b")).read { try $0.vault.get("name", of: ana) } == [1])
      await fresh.close()

      let tool = try await Database.inspect(test.location, schema: test.schema.name, keys: test.keys)
      #expect(try await tool.check().problems == ["tenant 'a': \(lines.first ?? "")"])
      await tool.close()
    }
  }

  @Test("a damaged key keeps no other from being wrapped under a new master key", arguments: TestEngine.allCases)
  func damagedKeyAtRotation(engine: TestEngine) async throws {
    let (old, new) = (MasterKeys.newKeyText(), MasterKeys.newKeyText())
    let test = try await open(engine, keys: MasterKeys(text: old))
    for name in ["a", "b"] {
      try await test.database.scope(.named(name)).write { transaction in
        try transaction.vault.put([1], as: "name", of: ana)
        try transaction.vault.index("ana", as: "mail", of: ana)
        transaction.append("first", [], to: "s")
      }
    }
    await test.database.close()
    try await test.location.alter(
      "UPDATE storage_vault_tenants SET wrapped = \(engine.literal([1])) WHERE tenant = 'a' AND version = 1",
      schema: test.schema.name)
    let both = try await test.reopen(keys: MasterKeys(text: "\(new)\n\(old)"))
    let error = await #expect(throws: DatabaseError.self) { try await both.rotateMasterKey() }
    #expect(error?.message.contains("some are left: 1 under master key ") == true, "\(error?.message ?? "")")
    #expect(error?.message.contains("key 1 of tenant 'a' does not open") == true, "\(error?.message ?? "")")
    // The tenant's other keys, of its index and its log, are under the new one.
    #expect(try await both.rows(Self.underOther, []).map { try $0.get("version", as: Int64.self) } == [1])
    await both.close()
    let fresh = try await test.reopen(keys: MasterKeys(text: new))
    #expect(try await fresh.scope(.named("b")).read { try $0.vault.get("name", of: ana) } == [1])
    try await fresh.scope(.named("a")).write { $0.append("more", [], to: "s") }
    await fresh.close()
  }

  /// The keys that are under another master key than the log of tenant 'b'.
  private static let underOther = Statement(
    acrossTenants: "test.under-other",
    "SELECT version FROM storage_vault_tenants WHERE master <> (SELECT master FROM storage_log_keys WHERE tenant = 'b') "
      + "UNION ALL SELECT 100 FROM storage_log_keys "
      + "WHERE master <> (SELECT master FROM storage_log_keys WHERE tenant = 'b')")

  @Test("a damaged name of a master key keeps nobody unserved, and is written anew", arguments: TestEngine.allCases)
  func damagedName(engine: TestEngine) async throws {
    let test = try await open(engine)
    for name in ["a", "b"] {
      try await test.database.scope(.named(name)).write { transaction in
        try transaction.vault.put([1], as: "name", of: ana)
        transaction.append("first", [], to: "s")
      }
    }
    await test.database.close()
    // Of all keys.
    try await test.location.alter(
      "UPDATE storage_vault_tenants SET master = 'x'; UPDATE storage_log_keys SET master = 'x'",
      schema: test.schema.name)
    let told = Mutex<[String]>([])
    let fresh = try await Database.open(
      test.location, schema: test.schema, keys: test.keys, reporting: { line in told.withLock { $0.append(line) } })
    #expect(told.withLock { $0.count } == 4, "\(told.withLock { $0 })")
    for name in ["a", "b"] {
      #expect(try await fresh.scope(.named(name)).read { try $0.vault.get("name", of: ana) } == [1])
    }
    #expect(try await fresh.check().problems.count == 2)
    #expect(try await fresh.rotateMasterKey() == 4)
    #expect(try await fresh.check().problems == [])
    await fresh.close()
  }

  @Test("a master key that was not given is asked for where several keys are under it", arguments: TestEngine.allCases)
  func formerKey(engine: TestEngine) async throws {
    let (old, new) = (MasterKeys.newKeyText(), MasterKeys.newKeyText())
    // Several tenants with a log alone, or one with a log and a vault.
    for names in [["a", "b"], ["main"]] {
      let test = try await open(engine, keys: MasterKeys(text: old))
      for name in names {
        try await test.database.scope(.named(name)).write { transaction in
          transaction.append("first", [], to: "s")
          if name == "main" { try transaction.vault.put([1], as: "name", of: ana) }
        }
      }
      await test.database.close()
      let both = try await test.reopen(keys: MasterKeys(text: "\(new)\n\(old)"))
      try await both.scope(.named("test")).write { try $0.vault.put([1], as: "name", of: ana) }
      await both.close()
      let error = await #expect(throws: DatabaseError.self) { try await test.reopen(keys: MasterKeys(text: new)) }
      #expect(error?.code == .wrongKey, "\(names)")
    }
  }

  @Test("a master key is asked for where the keys of every tenant are half under it", arguments: TestEngine.allCases)
  func halfRotated(engine: TestEngine) async throws {
    let (old, new) = (MasterKeys.newKeyText(), MasterKeys.newKeyText())
    let test = try await open(engine, keys: MasterKeys(text: old))
    try await test.database.scope(.named("main")).write { transaction in
      try transaction.vault.put([1], as: "name", of: ana)
      transaction.append("first", [], to: "s")
    }
    await test.database.close()
    try await test.location.alter(
      "CREATE TABLE saved AS SELECT wrapped, master FROM storage_vault_tenants", schema: test.schema.name)
    let both = try await test.reopen(keys: MasterKeys(text: "\(new)\n\(old)"))
    #expect(try await both.rotateMasterKey() == 2)
    await both.close()
    try await test.location.alter(
      "UPDATE storage_vault_tenants SET wrapped = (SELECT wrapped FROM saved), master = (SELECT master FROM saved); "
        + "DROP TABLE saved", schema: test.schema.name)
    let error = await #expect(throws: DatabaseError.self) { try await test.reopen(keys: MasterKeys(text: new)) }
    #expect(error?.code == .wrongKey)
  }

  @Test("a wrong master key is found where nothing but a log has a key as well", arguments: TestEngine.allCases)
  func wrongKeyOfLog(engine: TestEngine) async throws {
    let test = try await open(engine)
    try await test.database.scope(.named("a")).write { $0.append("first", [], to: "s") }
    let error = await #expect(throws: DatabaseError.self) {
      try await test.reopen(keys: MasterKeys(text: MasterKeys.newKeyText()))
    }
    #expect(error?.code == .wrongKey)
  }
}
