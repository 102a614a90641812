import ConsentContract
import ConsentDomain
import ServicePolicy
import Testing

@Suite("A flow as a table")
struct OfflineTableTests {
  private func table(review: Int) throws -> [OfflineScreen] {
    let engine = try Example.engine(Example.flow()) { text in
      text.htmlReviewContent = String(repeating: "a", count: review)
    }
    return try OfflineCompiler.table(of: engine, from: engine.start(birthDate: nil, at: Example.now).state)
  }

  @Test("a table that does not fit into one answer is refused: each screen of a review has the whole document")
  func tooLarge() throws {
    let reviews = try table(review: 1_000).filter { $0.screen?.html.utf8.count ?? 0 > 1_000 }
    #expect(reviews.count > 3)
    let refusal = #expect(throws: Refusal.self) { try table(review: OfflineCompiler.mostBytes / 3) }
    #expect(refusal?.rule == "table_too_large" && refusal?.kind == .invalid)
  }
}
