import Base
import CommonContract
import InteropContract
import RPC
import Storage
import StorageTestKit
import TestSupport
import Testing
import Wire

@testable import ServicePolicy

@Suite("Errors as callers get them", .timeLimit(.minutes(2))) struct ErrorStatusTests {
  @Test("every error of the database has one row, and the page of services shows the same table")
  func table() throws {
    let rows = DatabaseOutcome.table
    #expect(rows.map(\.error.rawValue).sorted() == DatabaseError.Code.allCases.map(\.rawValue).sorted())
    let page = String(decoding: try Files.read("\(Repository.root)/docs/services.md"), as: UTF8.self)
    let printed = page.split(separator: "\n").filter { $0.hasPrefix("| `") && $0.contains("_") && !$0.contains("(") }
    let shown = Set(printed.map(String.init))
    for row in rows {
      let line = "| `\(row.error.rawValue)` | \(row.status.name) | `\(row.rule)` | \(row.isFault ? "yes" : "") |"
      #expect(shown.contains(line), "\(line)")
    }
  }

  @Test("what a message quotes is short, however long one of its characters is")
  func quotedName() {
    let endless = String(repeating: "🖋\u{200D}", count: 20_000)
    #expect(Refusal.notFound("session", endless).message.utf8.count < 200)
  }

  @Test("a fault of the service is logged with its message, one of the call is not")
  func faults() async throws {
    for row in DatabaseOutcome.table {
      let bench = try await PolicyBench()
      let told = await bench.status(of: DatabaseError(row.error, "cannot open '/secret/path'"))
      #expect(told?.code == row.status, "\(row.error)")
      #expect(told?.message.hasPrefix("\(row.rule): ") == true, "\(told?.message ?? "")")
      #expect(told?.info?.rule == row.rule && told?.info?.field == row.field)
      #expect(bench.loggedFaults.isEmpty != row.isFault, "\(row.error)")
      if row.isFault {
        #expect(bench.loggedFaults.allSatisfy { $0.contains("/secret/path") })
        #expect(told?.message.contains("/secret/path") == false, "operators are told where, callers are not")
      }
    }
  }

  @Test("a full disk is UNAVAILABLE, since RESOURCE_EXHAUSTED is for quotas only")
  func fullDisk() {
    #expect(DatabaseOutcome.of(.diskFull).status == .unavailable)
    #expect(DatabaseOutcome.table.allSatisfy { $0.status != .resourceExhausted })
    #expect(Refusal(.exhausted, "too_many", "too many").status.code == .resourceExhausted)
  }

  @Test("a service on a disk that is really full says so, changes nothing and goes on reading")
  func filledDisk() async throws {
    guard let disk = try await SmallDisk(options: "size=2m") else {
      try Test.cancel("only root may mount, and not in every container")
    }
    let schema = Schema(name: "policy", migrations: NoteTable.migrations, statements: NoteTable.statements)
    let database = try await Database.open(.sqlite(path: "\(disk.folder)/full.db"), schema: schema, keys: .example)
    let data = ServiceDatabase(database)
    let bench = try await PolicyBench()
    let channel = bench.channel { request, context in
      if request.text.isEmpty {
        return try await data.read(context, of: .tenant) { snapshot, _, _ in
          Payload(text: "\(try snapshot.notes().count)")
        }
      }
      return try await data.once(request, context, of: .tenant) { transaction, _, _ in
        try transaction.keep(request.text, String(repeating: "x", count: 20_000))
        return request
      }
    }
    var kept = 0
    var refusal: Status?
    while refusal == nil, kept < 1000 {
      refusal = await status { _ = try await channel.put("n\(kept)", key: "k\(kept)") }
      if refusal == nil { kept += 1 }
    }
    #expect(refusal?.code == .unavailable && refusal?.info?.rule == "disk_full", "\(String(describing: refusal))")
    #expect(try await channel.put("") == "\(kept)")
    await database.close()
    try await disk.remove()
  }

  @Test("each kind of refusal has a code of its own, and its message begins with the rule")
  func refusals() {
    let statuses = Refusal.Kind.allCases.map { Refusal($0, "a_rule", field: "a.field", "it is wrong").status }
    #expect(Set(statuses.map(\.code)).count == Refusal.Kind.allCases.count)
    for status in statuses {
      #expect(status.message == "a_rule: a.field: it is wrong")
      #expect(status.info == ErrorInfo(rule: "a_rule", field: "a.field", message: "a.field: it is wrong"))
    }
    #expect(Refusal(.invalid, "r", field: "size", "size is 3").status.message == "r: size is 3", "named once")
  }

  @Test("the detail that is written by hand is the contract's message, whatever is empty, long or beyond ASCII")
  func sameAsContract() {
    let stories = [
      "", "it is wrong", "größer", String(repeating: "x", count: 127), String(repeating: "x", count: 20_000),
    ]
    for story in stories {
      for field in ["", "texts[de].title"] {
        let info = ErrorInfo(rule: "a_rule", field: field, message: story)
        let status = Status(.aborted, rule: "a_rule", field: field, story)
        #expect(status.details == [Status.Detail(info)] && status.info == info)
        #expect(status.message == "a_rule: \(story)")
      }
    }
  }

  @Test("a refusal's further details follow the rule")
  func details() {
    let more = ErrorInfo(rule: "more")
    let status = Refusal(.aborted, "r", "s", details: [more]).status
    #expect(status.details.count == 2 && status.details.last == Status.Detail(more))
  }

  @Test("a stored message that cannot be read is DATA_LOSS and a fault")
  func unreadable() async throws {
    let bench = try await PolicyBench()
    let told = await bench.status(of: CodecError(code: .malformed, path: "secret", message: "is broken"))
    #expect(told?.code == .dataLoss && told?.info?.rule == "data_corrupt")
    #expect(bench.loggedFaults.count == 1)
  }
}
