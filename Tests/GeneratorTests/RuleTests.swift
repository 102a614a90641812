import Generator
import Testing

/// Each rule for proto/ with a file that breaks it, to prove that the rule catches it.
@Suite("Rules for the contract")
struct RuleTests {
  struct Planted: CustomTestStringConvertible {
    let rule: String
    let text: String
    var testDescription: String { rule }
  }

  /// A contract whose method has the option that continues `(assent.`.
  private static func method(_ option: String) -> String {
    "// A.\nmessage A {}\n// S.\nservice S {\n// C.\nrpc Call(A) returns (A) { option (assent.\(option); } }"
  }

  static let planted: [Planted] = [
    Planted(rule: "a.v1.A.b: has no comment", text: "// A.\nmessage A { string b = 1; }"),
    Planted(rule: "a.v1.A: has no comment", text: "message A {}"),
    Planted(
      rule: "a.v1.E.E_OTHER: has no comment", text: "// E.\nenum E {\n// None.\nE_UNSPECIFIED = 0;\nE_OTHER = 1; }"),
    Planted(
      rule: "a.v1.E: its first value is not called …_UNSPECIFIED", text: "// E.\nenum E {\n// None.\nE_NONE = 0; }"),
    Planted(
      rule: "a.v1.A: contains itself",
      text: "// A.\nmessage A {\n// B.\nB b = 1; }\n// B.\nmessage B {\n// A.\nrepeated A a = 1; }"),
    Planted(rule: "a.v1.A.b: is optional", text: "// A.\nmessage A {\n// B.\noptional string b = 1; }"),
    Planted(rule: "a.v1.A.b: has a json_name", text: "// A.\nmessage A {\n// B.\nstring b = 1 [json_name = \"c\"]; }"),
    Planted(
      rule: "a.v1.A.b: is secret and no single text",
      text: "// A.\nmessage A {\n// B.\nrepeated string b = 1 [(assent.secret) = true]; }"),
    Planted(
      rule: "a.v1.A.at_ms: is a time that JSON carries as text", text: "// A.\nmessage A {\n// B.\nint64 at_ms = 1; }"),
    Planted(rule: "a.v1.A.o: has no comment", text: "// A.\nmessage A { oneof o {\n// B.\nstring b = 1; } }"),
    Planted(
      rule: "a.v1.A.b: looks like a map",
      text: "// A.\nmessage A {\n// E.\nmessage BEntry {\n// K.\nstring key = 1; }\n// B.\nrepeated BEntry b = 1; }"),
    Planted(
      rule: "a.v1.S.Call: has no comment",
      text:
        "// A.\nmessage A {}\n// S.\nservice S { rpc Call(A) returns (A) { option (assent.allow) = { role: PUBLIC }; } }"
    ),
    Planted(
      rule: "a.v1.S.Call: does not say whom it admits",
      text: "// A.\nmessage A {}\n// S.\nservice S {\n// C.\nrpc Call(A) returns (A); }"),
    Planted(
      rule: "a.v1.S.WatchAll: is named a watch, and is no stream of answers",
      text: "// A.\nmessage A {}\n// S.\nservice S {\n// W.\nrpc WatchAll(A) returns (A); }"),
    Planted(rule: "a.v1.S.Call: has a permission without a role", text: method("allow) = { place: SITE }")),
    Planted(
      rule: "a.v1.S.Call: binds PUBLIC, OPERATOR or SERVICE", text: method("allow) = { role: SERVICE, place: SITE }")),
    Planted(rule: "a.v1.S.Call: admits a role that is granted", text: method("allow) = { role: COORDINATOR }")),
    Planted(
      rule: "a.v1.S.Call: admits participants to what is not their own",
      text: method("allow) = { role: [PARTICIPANT, GUARDIAN], relation: GUARDIAN_OF }")),
    Planted(
      rule: "a.v1.S.Call: admits guardians of anybody", text: method("allow) = { role: GUARDIAN, place: SITE }")),
    Planted(
      rule: "a.v1.S.Call: admits inspectors, who change nothing",
      text: method("allow) = { role: INSPECTOR, place: STUDY }")),
    Planted(rule: "a.v1.S.Call: states an error without", text: method("errors) = { when: \"it rains\" }")),
    Planted(rule: "a.v1.S.Call: does not say when error 5", text: method("errors) = { code: NOT_FOUND }")),
    Planted(
      rule: "a.v1.S.Call: names a detail that the contract does not declare: a.v1.B",
      text: method("errors) = { code: NOT_FOUND, when: \"it rains\", detail: \"B\" }")),
  ]

  @Test("each rule catches what breaks it", arguments: planted)
  func catches(_ planted: Planted) async throws {
    let text = "syntax = \"proto3\";\npackage a.v1;\nimport \"assent/options.proto\";\n" + planted.text
    let violations = ContractRules.violations(in: try await ProtoSource.descriptors(text, name: "a/v1/a.proto"))
    #expect(violations.contains { $0.hasPrefix(planted.rule) }, "\(violations)")
  }
}
