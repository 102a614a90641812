import Generator
import Testing

@Suite("Compatibility with the released contract")
struct CompatibilityTests {
  private static let released = """
    // A.
    message A { string title = 1; uint32 count = 2; oneof o { string x = 3; string y = 4; } repeated string list = 5; }
    enum E { E_UNSPECIFIED = 0; E_ONE = 1; }
    service S {
      rpc Get(A) returns (A) { option idempotency_level = NO_SIDE_EFFECTS; option (assent.allow) = { role: DEVICE }; }
    }
    """

  private func changes(_ edit: (from: String, to: String)...) async throws -> [String] {
    let head = "syntax = \"proto3\";\npackage a.v1;\nimport \"assent/options.proto\";\n"
    var text = Self.released
    for (old, new) in edit {
      #expect(text.contains(old))
      text = text.replacing(old, with: new)
    }
    return Compatibility.breakingChanges(
      from: try await ProtoSource.descriptors(head + Self.released), to: try await ProtoSource.descriptors(head + text))
  }

  @Test("additions break nothing")
  func additions() async throws {
    let found = try await changes(
      ("uint32 count = 2;", "uint32 count = 2; bytes more = 9;"), ("E_ONE = 1;", "E_ONE = 1; E_TWO = 2;"),
      ("service S {", "message B {} service S { rpc Put(B) returns (B);"))
    #expect(found.isEmpty)
  }

  @Test("a field may be removed when its number and name are reserved, and not otherwise")
  func removal() async throws {
    #expect(try await changes(("uint32 count = 2;", "reserved 2; reserved \"count\";")).isEmpty)
    #expect(try await changes(("uint32 count = 2;", "reserved 2;")).count == 1)
  }

  @Test(
    "each of these changes breaks a program, and the sentence names it",
    arguments: [
      ("string title = 1;", "string name = 1;", "a.v1.A.title: is called name now"),
      ("string title = 1;", "bytes title = 1;", "a.v1.A.title: was string and is bytes"),
      ("uint32 count = 2;", "", "a.v1.A.count: is gone"),
      ("repeated string list", "string list", "a.v1.A.list: is no longer repeated"),
      ("string y = 4; }", "} string y = 4;", "a.v1.A.y: moved from oneof o to none"),
      ("E_ONE = 1;", "", "a.v1.E.E_ONE: is gone"),
      ("E_ONE = 1;", "E_FIRST = 1;", "a.v1.E.E_ONE: is called E_FIRST now"),
      ("rpc Get(", "rpc Fetch(", "a.v1.S.Get: the method is gone"),
      ("returns (A)", "returns (stream A)", "a.v1.S.Get: streams differently"),
      ("NO_SIDE_EFFECTS", "IDEMPOTENT", "a.v1.S.Get: promises less"),
      ("role: DEVICE", "role: SERVICE", "a.v1.S.Get: no longer admits"),
    ])
  func breaking(_ old: String, _ new: String, _ sentence: String) async throws {
    let found = try await changes((old, new))
    #expect(found.contains { $0.hasPrefix(sentence) }, "\(found)")
  }
}
