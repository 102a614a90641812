public import Base

/// A log's head: how many events it has, and the root of their tree (C2SP tlog-checkpoint).
public struct Checkpoint: Hashable, Sendable {
  /// The name of the log: `installation/service/tenant`.
  public let origin: String
  public let size: Int64
  public let root: Digest

  package init(origin: String, size: Int64, root: Digest) {
    self.origin = origin
    self.size = size
    self.root = root
  }

  /// The text that is signed.
  var text: String { "\(origin)\n\(size)\n\(Base64.encode(root.bytes))\n" }

  package func signed(by key: SigningKey) -> SignedCheckpoint {
    let name = NoteKeyName(origin, key.verifyingKey)
    let signature = Base64.encode(name.id + key.sign(Array(text.utf8)))
    return SignedCheckpoint(checkpoint: self, note: "\(text)\n— \(origin) \(signature)\n")
  }
}

/// A head with its signatures: a signed note (C2SP signed-note).
public struct SignedCheckpoint: Hashable, Sendable {
  public let checkpoint: Checkpoint
  /// The whole note, as it is handed out.
  public let note: String

  /// How many signatures a note may have. Witnesses may add their own.
  static let mostSignatures = 64
  static let mostBytes = 1 << 16

  init(checkpoint: Checkpoint, note: String) {
    self.checkpoint = checkpoint
    self.note = note
  }

  /// - Parameter place: the head's name in an error.
  public init(note: String, at place: String = "head") throws(EvidenceProblem) {
    func refuse(_ detail: String) -> EvidenceProblem { EvidenceProblem(.checkpoint, at: place, detail) }
    guard note.utf8.count <= Self.mostBytes else { throw refuse("it has more than \(Self.mostBytes) bytes") }
    guard note.utf8.allSatisfy({ $0 >= 0x20 || $0 == 0x0A }), note.utf8.last == 0x0A else {
      throw refuse("it holds control characters, or does not end with a line's end")
    }
    // Split by bytes: among characters, a line feed and a combining mark after it would not be seen as a line's end.
    var lines = note.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map { String($0) ?? "" }
    lines.removeLast()
    guard lines.count >= 5, lines.firstIndex(of: "") == 3 else {
      throw refuse("it is no origin, size, root, blank line")
    }
    guard !lines[0].isEmpty, !lines[0].contains(where: { $0.isWhitespace || $0 == "+" }) else {
      throw refuse("its origin is empty or holds spaces")
    }
    guard let size = Int64(lines[1]), size >= 0, String(size) == lines[1] else { throw refuse("its size is no number") }
    guard let root = Base64.decode(lines[2]).flatMap({ Digest(bytes: $0) }) else { throw refuse("its root is no hash") }
    let signatures = lines.dropFirst(4)
    guard signatures.count <= Self.mostSignatures else { throw refuse("it has more than 64 signatures") }
    for line in signatures where NoteSignature(line) == nil {
      throw refuse("a line after the blank one is no signature")
    }
    checkpoint = Checkpoint(origin: lines[0], size: size, root: root)
    self.note = note
  }

  private var signatures: [NoteSignature] {
    note.utf8.split(separator: 0x0A).dropFirst(3).compactMap { NoteSignature(String($0) ?? "") }
  }

  /// Whether the last signature has its full length. A truncated one could be taken for another kind of signature.
  var isEnded: Bool { signatures.last.map { $0.bytes.count >= 64 } ?? false }

  /// Whether one of the keys signed the head, and every signature that names one of the keys is valid.
  public func isSigned(byOneOf keys: [VerifyingKey]) -> Bool {
    var isSigned = false
    let text = Array(checkpoint.text.utf8)
    for signature in signatures where signature.name == checkpoint.origin {
      for key in keys where NoteKeyName(checkpoint.origin, key).id == signature.id {
        guard key.verifies(signature.bytes, of: text) else { return false }
        isSigned = true
      }
    }
    return isSigned
  }
}

/// A line of a note with a signature: the signer's name, the key's short identifier and the signature.
private struct NoteSignature {
  let name: String
  let id: [UInt8]
  let bytes: [UInt8]

  init?(_ line: String) {
    let parts = line.utf8.split(separator: 0x20, omittingEmptySubsequences: false).map { String($0) ?? "" }
    guard parts.count == 3, parts[0] == "—", !parts[1].isEmpty, !parts[1].utf8.contains(UInt8(ascii: "+")),
      let bytes = Base64.decode(parts[2]), bytes.count > 4
    else { return nil }
    name = parts[1]
    id = Array(bytes.prefix(4))
    self.bytes = Array(bytes.dropFirst(4))
  }
}

/// A signer's name and key, for the short identifier by which notes name the key.
struct NoteKeyName {
  let name: String
  let key: VerifyingKey

  init(_ name: String, _ key: VerifyingKey) {
    self.name = name
    self.key = key
  }

  /// The key after its type, of which 1 stands for Ed25519.
  private var typedKey: [UInt8] { [1] + key.bytes }

  var id: [UInt8] { Array(Digest(of: Array("\(name)\n".utf8) + typedKey).bytes.prefix(4)) }

  /// The key as other programs read it: `name+id+key`.
  var text: String { "\(name)+\(Hex.encode(id))+\(Base64.encode(typedKey))" }
}
