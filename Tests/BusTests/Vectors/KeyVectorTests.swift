import Base
import Bus
import RPC
import TestSupport
import Testing

/// `clients/vectors/keys.json`: key files and lists of keys.
@Suite struct KeyVectorTests {
  @Test("a key file is read, or refused", arguments: VectorFile.entries("keys", "files"))
  func file(vector: Vector) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("own.key")
    try Files.write(Array((vector["text"].text ?? "").utf8), to: path, mode: 0o600)
    if vector["fault"].flag {
      #expect(throws: KeyFileError.self) { try KeyFile.read(path) }
    } else {
      // The public key follows from the secret one.
      #expect(try KeyFile.read(path).publicKey.text == vector["public"].text)
    }
  }

  @Test("a list of keys is read, or its faulty line is named", arguments: VectorFile.entries("keys", "lists"))
  func list(vector: Vector) throws {
    let text = vector["text"].text ?? ""
    if let line = vector["faultyLine"].number {
      let error = #expect(throws: KeyListError.self) { try KeyList(parsing: text) }
      #expect(error?.line == line)
      return
    }
    let entries = try KeyList(parsing: text).entries
    #expect(entries.count == vector["entries"].list.count)
    for (entry, expected) in zip(entries, vector["entries"].list) {
      #expect(entry.role.rawValue == expected["role"].text)
      #expect(entry.publicKey.text == expected["key"].text)
      #expect(entry.name == expected["name"].text)
      #expect(entry.grant?.tenant == expected["tenant"].text)
      #expect(entry.grant?.kind.word == expected["kind"].text)
      #expect(entry.grant?.roles ?? [] == expected["roles"].list.compactMap(\.text))
      #expect(entry.rights?.serving == expected["serves"].texts.map { .only($0) })
      #expect(entry.rights?.vouching.rawValue == expected["vouches"].text)
    }
  }
}

extension JSONValue {
  fileprivate var texts: Set<String>? { self == .null ? nil : Set(list.compactMap(\.text)) }
}
