import CommonContract
import RPC
import SignatureContract
import StorageTestKit
import Testing
import Wire

/// How readers follow a trail.
@Suite("Pages of a trail", .timeLimit(.minutes(2))) struct TrailPageTests {
  private func page(
    _ bench: SignatureBench, after token: String, size: Int32 = 1000
  ) async throws -> ListSignatureTrailResponse {
    try await bench.service.listSignatureTrail(
      ListSignatureTrailRequest(pageToken: token, pageSize: size, allStudies: true))
  }

  @Test("page by page it is what it is as a whole, and a token that comes back says that this is all")
  func pages() async throws {
    let bench = try await SignatureBench(on: .sqlite)
    _ = try await FieldDriver.signed(bench.device())
    let whole = try await page(bench, after: "")
    #expect(whole.entries.count > 2 && whole.readUntil == nil)
    var (entries, token): ([TrailEntry], String) = ([], "")
    while true {
      let page = try await page(bench, after: token, size: 1)
      entries += page.entries
      if page.nextPageToken == token {
        #expect(page.entries.isEmpty && page.readUntil == nil)
        break
      }
      #expect(page.readUntil != nil && page.entries.allSatisfy { $0.at == page.readUntil })
      token = page.nextPageToken
    }
    #expect(entries.starts(with: whole.entries))
  }

  @Test("a token is good later, and so are an entry's own token and its sequence; anything else is refused")
  func tokens() async throws {
    let bench = try await SignatureBench(on: .sqlite)
    _ = try await FieldDriver.signed(bench.device())
    let before = try await page(bench, after: "")
    let field = try await FieldDriver.create(bench.device())
    let after = try await page(bench, after: before.nextPageToken)
    #expect(after.entries.filter { $0.kind == .changed }.map(\.item) == ["field/\(field.view.fieldID)"])
    let rest = try await page(bench, after: String(before.entries[0].sequence))
    #expect(rest.entries.starts(with: before.entries.dropFirst()))
    let behind = try await page(bench, after: before.entries[0].pageToken)
    #expect(behind.entries.starts(with: before.entries.dropFirst()))
    for token in ["-1", "1-1", "first"] {
      let refusal = await status { _ = try await page(bench, after: token) }
      #expect(refusal?.code == .invalidArgument && refusal?.message.hasPrefix("bad_page_token: ") == true, "\(token)")
    }
  }
}
