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
    Planted(rule: "a.v1.A.o: has no comment", text: "// A.\nmessage A { oneof o {\n// B.\nstring b = 1; } }"),
    Planted(
      rule: "a.v1.A.b: looks like a map",
      text: "// A.\nmessage A {\n// E.\nmessage BEntry {\n// K.\nstring key = 1; }\n// B.\nrepeated BEntry b = 1; }"),
    Planted(
      rule: "a.v1.S.Call: does not state its access level",
      text: "// A.\nmessage A {}\n// S.\nservice S {\n// C.\nrpc Call(A) returns (A); }"),
    Planted(
      rule: "a.v1.S.Call: has no comment",
      text:
        "// A.\nmessage A {}\n// S.\nservice S { rpc Call(A) returns (A) { option (assent.access) = ACCESS_USER; } }"),
  ]

  @Test("each rule catches what breaks it", arguments: planted)
  func catches(_ planted: Planted) async throws {
    let text = "syntax = \"proto3\";\npackage a.v1;\nimport \"assent/options.proto\";\n" + planted.text
    let violations = ContractRules.violations(in: try await ProtoSource.descriptors(text, name: "a/v1/a.proto"))
    #expect(violations.contains { $0.hasPrefix(planted.rule) }, "\(violations)")
  }
}
