import Base
import ConsentContract
import ConsentService
import RPC
import ServicePolicy
import Synchronization
import Testing
import Wire

/// Counts what several tasks have done.
private final class Count: Sendable {
  private let count = Mutex(0)

  var value: Int { count.withLock { $0 } }
  func add() { count.withLock { $0 += 1 } }
}

@Suite("markup is read before a transaction begins, in turns")
struct MarkupPoolTests {
  /// Nearly as many tags as a call may bring.
  private static func heavy(_ content: DocumentContent) -> DocumentContent {
    var content = content
    for index in content.texts.indices {
      content.texts[index].sections[0].htmlContent = String(repeating: "<p><b>x</b></p>", count: 1_900)
    }
    return content
  }

  @Test("one author's large texts hold up neither another's small one nor people in sessions", .timeLimit(.minutes(5)))
  func turns() async throws {
    let world = try await World()
    try await world.open()
    let other = world.client("otto", ["publisher@heart"])
    let (large, heavy) = (12, Self.heavy(Example.content()))
    let finished = Count()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<large {
        group.addTask {
          _ = try await world.publisher.documents.validateDocument(
            ValidateDocumentRequest(content: heavy), deadline: .seconds(240))
          finished.add()
        }
      }
      let draft = try await other.documents.createDocument(
        CreateDocumentRequest(
          studyID: World.study, documentID: "small", name: "Small", content: DocumentContent(defaultLocale: "en")))
      #expect(draft.version?.state == .draft)
      _ = try await world.walk()
      #expect(finished.value < large, "all the large texts were read first")
      try await group.waitForAll()
    }
    #expect(finished.value == large)
    await world.end()
  }

  @Test("what a light budget refuses is read in full, and out of bounds is out of bounds")
  func budgets() async throws {
    let world = try await World()
    try await world.open()
    let answer = try await world.publisher.documents.validateDocument(
      ValidateDocumentRequest(content: Self.heavy(Example.content())))
    #expect(answer.problems.filter { $0.severity == .error }.isEmpty)
    var content = Example.content()
    for index in content.texts.indices {
      content.texts[index].sections[0].htmlContent = String(repeating: "<br>", count: 7_900)
      content.texts[index].sections[1].htmlContent = String(repeating: "<br>", count: 7_900)
    }
    await expectRefusal(.invalidArgument, "markup_out_of_bounds") {
      try await world.publisher.documents.validateDocument(ValidateDocumentRequest(content: content))
    }
    await world.end()
  }

  @Test("the assets of a file are bounded in number and in bytes, and their drawings share one budget")
  func assets() async throws {
    let world = try await World()
    try await world.open()
    func importing(_ assets: [ConsentAsset]) async throws -> ImportDocumentResponse {
      let file = DocumentFile(
        format: 1, documentID: "pictures", name: "Pictures", content: Example.content(), assets: assets)
      return try await world.publisher.documents.importDocument(
        ImportDocumentRequest(studyID: World.study, file: file))
    }
    let png = EvidenceWorld.image
    let small = (0..<201).map { _ in ConsentAsset(kind: .png, data: png) }
    await expectRefusal(.invalidArgument, "too_many") { try await importing(small) }
    let large = (0..<8).map { ConsentAsset(kind: .png, data: png + [UInt8](repeating: $0, count: 4_000_000)) }
    await expectRefusal(.invalidArgument, "asset_size_out_of_bounds") { try await importing(large) }
    let lines = String(repeating: "<path d=\"M0 0\"/>", count: 6_500)
    let drawings = (0..<4).map { number in
      ConsentAsset(
        kind: .svg, data: Array("<svg xmlns=\"http://www.w3.org/2000/svg\" id=\"a\(number)\">\(lines)</svg>".utf8))
    }
    await expectRefusal(.invalidArgument, "markup_out_of_bounds") { try await importing(drawings) }
    let drawing = "<svg xmlns=\"http://www.w3.org/2000/svg\"><path d=\"M0 0\" onclick=\"x()\"/></svg>"
    let accepted = try await importing(
      Array(small.prefix(200).dropLast()) + [ConsentAsset(kind: .svg, data: Array(drawing.utf8))])
    #expect(accepted.removed.contains { $0.field == "file.assets[199]" })
    await world.end()
  }
}
