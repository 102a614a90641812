import Base
import BenchKit
import ConsentContract
import ConsentLoad
import RPC
import Wire

/// `CheckConsent` while one caller has the heaviest markup read again and again, beside the same without that caller.
enum MarkupCases {
  private static let inFlight = 16

  static func measure(_ bench: inout Bench, _ system: ConsentSystem) async throws {
    let flow = try await WalkedFlow.open(on: system)
    for subject in 0..<100 { try await flow.walk(subject: "checked-\(subject)") }
    let app = system.app
    let p99: @Sendable () async throws -> Double = {
      try await SteadyCalls.p99 { number in
        _ = try await app.records.checkConsent(
          CheckConsentRequest(
            studyID: WalkedFlow.study, subjectID: "checked-\(number % 100)", purpose: WalkedFlow.purpose))
      }
    }
    try await bench.compare(
      "markup_p99", "CheckConsent at 200/s: its p99 beside \(inFlight) of the heaviest documents in flight",
      unit: .milliseconds, ours: { try await during(system, p99) }, peers: ["quiet": p99])
  }

  private static func during(_ system: ConsentSystem, _ body: () async throws -> Double) async throws -> Double {
    let author = system.client("author", .person, ["publisher@*"])
    let floods = (0..<inFlight).map { lane in
      Task {
        let request = ValidateDocumentRequest(content: document(of: heaviest[lane % heaviest.count]))
        // Refusals count as well: a refused caller asks again.
        while !Task.isCancelled { _ = try? await author.documents.validateDocument(request, deadline: .seconds(30)) }
      }
    }
    defer { for flood in floods { flood.cancel() } }
    try await Task.sleep(for: .milliseconds(500))
    return try await body()
  }

  /// A tag of 50,000 attributes in 439 KB, deep nesting, and as many cells as one document may have.
  private static let heaviest = [
    "<p" + (0..<50_000).map { " a\($0)=1" }.joined() + ">text</p>",
    String(repeating: "<div>", count: 80_000),
    "<table>" + String(repeating: "<tr><td title=\"a > b\" lang=en colspan='2'>it's 5 < 6</td></tr>", count: 6000)
      + "</table>",
    String(repeating: "<b>x</b>", count: 50_000),
  ]

  private static func document(of html: String) -> DocumentContent {
    var content = WalkedFlow.content
    content.texts[0].sections[0].htmlContent = html
    return content
  }
}
