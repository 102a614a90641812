import StorageTestKit
import Testing

@testable import Storage

@Suite struct JobPlanTests {
  @Test("however many jobs wait, a search reads few of them, and takes the oldest without sorting them")
  func plans() async throws {
    let test = try await TestEngine.sqlite.makeDatabase(
      migrations: NoteStore.migrations, statements: NoteStore.statements)
    let found: [Statement] = [
      JobStatements.kinds, JobStatements.kindsLookedThrough, JobStatements.takeLeft, JobStatements.takeDue,
      JobStatements.takeMisdated, JobStatements.hasten, JobStatements.forget,
    ]
    for statement in found {
      let steps = try await SlowPlan.steps(of: statement.query, in: test.database)
      let jobs = steps.filter { $0.contains("jobs") && !$0.contains("(tenant=? AND id=?)") }
      #expect(!jobs.isEmpty)
      // The first kind is the first of the index.
      let narrow = jobs.filter { $0.contains("(kind") || $0.hasSuffix("COVERING INDEX storage_jobs_by_kind") }
      #expect(narrow.count == jobs.count && jobs.allSatisfy { $0.hasPrefix("SEARCH") }, "\(statement.name): \(steps)")
    }
    let oldest = try await SlowPlan.steps(of: JobStatements.takeDue.query, in: test.database)
    #expect(!oldest.contains { $0.contains("B-TREE") }, "\(oldest)")
    await test.database.close()
  }
}
