import Base
import Storage
import StorageTestKit
import Testing

@Suite struct CheckpointTests {
  private let key = EvidenceKey.example()

  private func signed(_ origin: String = "test/letters/a", size: Int64 = 7) -> SignedCheckpoint {
    Checkpoint(origin: origin, size: size, root: Digest(of: [1])).signed(by: key.key)
  }

  @Test("a head that was signed is read again, and its signature holds")
  func roundTrip() throws {
    let head = signed()
    #expect(try SignedCheckpoint(note: head.note) == head)
    #expect(head.isSigned(byOneOf: [key.verifyingKey]))
    #expect(head.isSigned(byOneOf: [EvidenceKey.example("22").verifyingKey, key.verifyingKey]))
    #expect(!head.isSigned(byOneOf: [EvidenceKey.example("22").verifyingKey]))
    #expect(!head.isSigned(byOneOf: []))
  }

  @Test("a note that another implementation signed, and its key, are understood")
  func foreign() throws {
    // From the documentation of implementations of C2SP signed notes.
    let keys = try VerifyingKey.list(
      "# theirs\nexample.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k\n")
    let signature = try #require(
      Hex.decode(
        "49fcb2b575c891a1d9561194bd539da82fd5812ae937d7a69ce2d8e367700953"
          + "80aed9b60d444583595ec6233811f79855e644abb01e31b562eef62277b26903"))
    let text = Array("This is an example message.\n".utf8)
    #expect(keys.count == 1 && keys[0].verifies(signature, of: text) && !keys[0].verifies(signature, of: text + [0]))
    let note =
      "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n"
      + "— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo"
      + "+zyWE+xeMcTOAYQ8=\n"
    let head = try SignedCheckpoint(note: note)
    #expect(head.checkpoint.origin == "example.com/behind-the-sofa" && head.checkpoint.size == 20_852_163)
  }

  @Test("every byte of a head counts")
  func everyByte() {
    let note = Array(signed().note.utf8)
    for index in note.indices {
      var altered = note
      altered[index] ^= 1
      guard let text = String(validating: altered, as: UTF8.self), let head = try? SignedCheckpoint(note: text) else {
        continue
      }
      #expect(!head.isSigned(byOneOf: [key.verifyingKey]), "byte \(index)")
    }
  }

  @Test("a signature of a known key that does not hold spoils the note; unknown ones are passed over")
  func severalSignatures() throws {
    let head = signed()
    let witness = Checkpoint(origin: "witness", size: 7, root: Digest(of: [1])).signed(
      by: EvidenceKey.example("33").key)
    let line = try #require(witness.note.split(separator: "\n").last)
    #expect(try SignedCheckpoint(note: head.note + line + "\n").isSigned(byOneOf: [key.verifyingKey]))
    let other = try #require(signed(size: 8).note.split(separator: "\n").last)
    #expect(try !SignedCheckpoint(note: head.note + other + "\n").isSigned(byOneOf: [key.verifyingKey]))
  }

  @Test(
    "what is no head is refused by name",
    arguments: [
      "", "\n", "a\n", "a\n1\n", "a\n1\nAAAA\n\n— a AAAAAAAA\n", "a b\n1\n\(root)\n\n— a \(line)\n",
      "a\n01\n\(root)\n\n— a \(line)\n", "a\n-1\n\(root)\n\n— a \(line)\n", "a\n1\n\(root)\n\n",
      "\n1\n\(root)\n\n— a \(line)\n",
      "a\n1\n\(root)\nmore\n\n— a \(line)\n", "a\n1\n\(root)\n\n- a \(line)\n", "a\n1\n\(root)\n\n— a \(line)",
      "a\n1\n\(root)\n\n— a+b \(line)\n", "a\n1\n\(root)\n\n— a AAA\n", "a\n1\n\(root)\n\n— a AAAA\n",
      "a\r\n1\n\(root)\n\n— a \(line)\n",
      "a\n99999999999999999999\n\(root)\n\n— a \(line)\n",
      "a\n1\n\(root)\n\n" + String(repeating: "— a \(line)\n", count: 65), String(repeating: "a", count: 70_000) + "\n",
    ])
  func refused(note: String) {
    let error = #expect(throws: EvidenceProblem.self) { try SignedCheckpoint(note: note) }
    #expect(error?.kind == .checkpoint && error?.detail.isEmpty == false)
  }

  private static let root = "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I="
  private static let line = "AAAAAAAA"

  @Test("a file of heads is read as it was written, and what is no head in it is named")
  func file() throws {
    let heads = [signed(size: 1), signed(size: 2), signed("test/letters/b", size: 3)]
    #expect(try SignedCheckpoint.list(heads.map { $0.note + "\n" }.joined()) == heads)
    #expect(try SignedCheckpoint.list(heads.map(\.note).joined()) == heads)
    #expect(try SignedCheckpoint.list("\n\n").isEmpty)
    let error = #expect(throws: EvidenceProblem.self) {
      try SignedCheckpoint.list(heads[0].note + "\nrubbish\n", at: "heads")
    }
    #expect(error?.place == "heads, head 2")
  }

  @Test("a key in a wrong form is refused", arguments: ["", "11", "zz", "a+00000000+AQ==", "# nothing"])
  func keys(text: String) {
    #expect(throws: EvidenceProblem.self) { try VerifyingKey.list(text) }
    #expect(throws: DatabaseError.self) { try EvidenceKey(text: text) }
  }
}
