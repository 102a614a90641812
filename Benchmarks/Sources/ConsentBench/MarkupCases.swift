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
    try await flow.walkForChecks()
    let app = system.app
    let author = system.client("author", .person, ["publisher@*"])
    let readers = (0..<inFlight).map { lane -> @Sendable () async throws -> Void in
      let request = ValidateDocumentRequest(content: document(of: heaviest[lane % heaviest.count]))
      return { _ = try await author.documents.validateDocument(request, deadline: .seconds(30)) }
    }
    // A document that is refused beforehand would cost nobody anything.
    for reader in readers.prefix(heaviest.count) { try await reader() }
    let p99: @Sendable () async throws -> Double = {
      try await SteadyCalls.p99 { number in try await app.check(subject: number) }
    }
    await bench.compare(
      "markup_p99", "CheckConsent at 200/s: its p99 beside \(inFlight) of the heaviest documents in flight",
      unit: .milliseconds, ours: { try await Storm.during(readers, rise: .milliseconds(500), p99) },
      peers: [
        "quiet": {
          // What was begun for the last of them is carried out to its end.
          try await system.untilIdle()
          return try await p99()
        }
      ])
  }

  /// The heaviest markup that is read and not refused beforehand, each at another bound: attributes, depth, tags, and
  /// formatting that every paragraph repeats.
  private static let heaviest = [
    String(repeating: "<p" + (0..<100).map { " a\($0)=1" }.joined() + ">text", count: 650),
    String(repeating: "<div>", count: 7_900),
    "<table>" + String(repeating: "<tr><td title=\"a > b\" lang=en colspan='2'>it's 5 < 6", count: 1_950) + "</table>",
    "<p>" + String(repeating: "<b>", count: 25) + String(repeating: "<p>x", count: 150),
  ]

  private static func document(of html: String) -> DocumentContent {
    var content = WalkedFlow.content
    content.texts[0].sections[0].htmlContent = html
    return content
  }
}
