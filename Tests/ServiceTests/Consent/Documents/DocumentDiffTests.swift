import Base
import ConsentContract
import TestSupport
import Testing

@testable import ConsentDomain

/// A difference between two versions is told in full: whatever a document may say is one of the facts that are
/// compared.
@Suite("What a difference of versions tells") struct DocumentDiffTests {
  private struct Field {
    let type: String
    let name: String
    let isRepeated: Bool
  }

  private let contract: String

  init() throws {
    contract = String(
      decoding: try Files.read(Repository.path("proto/assent/consent/v1/document.proto")), as: UTF8.self)
  }

  /// The fields of a message as the contract declares them.
  private func fields(of message: String) throws -> [Field] {
    let start = try #require(contract.ranges(of: "\nmessage \(message) {").first, "there is no message \(message)")
    let lines = contract[start.upperBound...].split(separator: "\n").prefix { $0 != "}" }
    return lines.compactMap { line in
      var words = line.split(separator: " ")
      guard let first = words.first, first != "//" else { return nil }
      let isRepeated = first == "repeated"
      if isRepeated { words.removeFirst() }
      guard words.count >= 4, words[2] == "=" else { return nil }
      return Field(type: String(words[0]), name: String(words[1]), isRepeated: isRepeated)
    }
  }

  private func isMessage(_ type: String) -> Bool { contract.contains("\nmessage \(type) {") }

  /// What a message states by itself, with what is inside of it. Lists of messages are compared item by item.
  private func statements(of message: String, besides others: Set<String>) throws -> [String] {
    try fields(of: message).filter { !others.contains($0.name) }.flatMap { field in
      guard isMessage(field.type) else { return [field.name] }
      return field.isRepeated
        ? [] : try statements(of: field.type, besides: others).map { "\(field.name).\($0)" }
    }.sorted()
  }

  private func told(_ facts: [DocumentFact]?) -> [String] { (facts ?? []).map(\.field).sorted() }

  @Test("every setting and every text of the contract is compared")
  func complete() throws {
    let (settings, text) = (Example.settings(), Example.text("en"))
    #expect(try told(settings.facts) == statements(of: "DocumentSettings", besides: []))
    #expect(try told(settings.sectionItems.first?.facts) == statements(of: "DocumentSection", besides: ["id"]))
    #expect(try told(settings.signatureItems.first?.facts) == statements(of: "SignatureDefinition", besides: ["id"]))
    #expect(try told(settings.purposeItems.first?.facts) == statements(of: "ConsentPurpose", besides: ["code"]))
    // What counts as right is told together; scored questions have no numbers.
    let scored: Set = ["id", "accepted_answers", "number", "scale"]
    let question = try statements(of: "QuestionDefinition", besides: scored) + ["choices", "right_answers"]
    #expect(told(settings.questionItems.first?.facts) == question.sorted())
    // The pages of a file have what its author says of them.
    #expect(try told(text.facts) == statements(of: "DocumentText", besides: ["locale", "page_texts"]))
    // HTML is made from Markdown.
    let section = try statements(of: "SectionText", besides: ["section_id", "markdown_content"])
    #expect(told(text.sectionItems.first?.facts) == section)
    #expect(try told(text.signatureItems.first?.facts) == statements(of: "SignatureText", besides: ["signature_id"]))
    #expect(try told(text.purposeItems.first?.facts) == statements(of: "PurposeText", besides: ["purpose_code"]))
    let words = told(text.questionItems.first?.facts).filter { !$0.hasPrefix("choices[") }
    #expect(try words == statements(of: "QuestionText", besides: ["question_id"]))
  }

  @Test("that one person may give several signatures is told")
  func coinciding() {
    var after = Example.content()
    after.settings?.signersMayCoincide = true
    let changes = DocumentDiff.changes(from: Example.content(), to: after)
    #expect(changes.map(\.field) == ["settings.signers_may_coincide"])
    #expect(changes.first?.before == "no" && changes.first?.after == "yes")
  }
}
