import Generator
import Testing

@Suite("What the generator refuses")
struct RefusalTests {
  private func refusal(_ text: String, name: String = "a/v1/a.proto") async throws -> String? {
    let set = try await ProtoSource.descriptors("syntax = \"proto3\";\n" + text, name: name)
    do {
      _ = try Generation(Contract(set))
      return nil
    } catch {
      return error.description
    }
  }

  @Test("two messages that would have one name in Swift")
  func collision() async throws {
    let set = try DescriptorSet(
      decoding: try await ProtoSource.encodedDescriptors([
        "a/v1/a.proto": "syntax = \"proto3\"; package a.v1; message Thing {}",
        "b/v1/b.proto": "syntax = \"proto3\"; package b.v1; message Thing {}",
      ]))
    #expect {
      try Contract(set)
    } throws: { error in
      "\(error)".contains("a.v1.Thing") && "\(error)".contains("b.v1.Thing")
    }
  }

  @Test("a name that Swift keeps for itself")
  func reservedTypeName() async throws {
    #expect(try await refusal("package a.v1; message Outer { message Type {} }")?.contains("a.v1.Outer.Type") == true)
  }

  @Test("a method that does not say whom it admits")
  func missingPermission() async throws {
    let text = "package a.v1; message A {} service S { rpc Call(A) returns (A); }"
    #expect(try await refusal(text)?.contains("does not say whom it admits") == true)
  }

  @Test("an enum with two names for one number")
  func alias() async throws {
    let text = "package a.v1; enum E { option allow_alias = true; E_UNSPECIFIED = 0; E_OTHER = 0; }"
    #expect(try await refusal(text)?.contains("a.v1.E") == true)
  }

  @Test("a damaged descriptor set, wherever it is cut")
  func damage() async throws {
    let whole = try await ProtoSource.encodedDescriptors([
      "a/v1/a.proto": "syntax = \"proto3\"; package a.v1; message A { string b = 1; }"
    ])
    #expect(throws: GeneratorError.self) { try DescriptorSet(decoding: Array(whole.dropLast(3))) }
    #expect(throws: GeneratorError.self) { try DescriptorSet(decoding: [0xff]) }
  }
}
