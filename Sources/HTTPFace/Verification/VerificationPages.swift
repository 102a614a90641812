internal import Base
internal import Face
internal import RPC
internal import Wire

/// The page that the QR code of a signed document leads to, for people who were handed the file.
///
/// It shows what `CheckSignedCopy` tells anybody and nothing else. Visitors need no credential, and no person is named.
struct VerificationPages {
  static let prefix = "/verify/"
  static let method = "/assent.consent.v1.RecordService/CheckSignedCopy"

  let method: Catalogue.Method
  private let level: FieldPath
  private let sealedAt: FieldPath
  private let sealedBy: FieldPath
  private let erased: FieldPath
  private let comparison: FieldPath
  private let participants: FieldPath

  /// nil when the contract has no such method, or its answer lacks a field that the page shows.
  init?(_ catalogue: Catalogue) {
    guard let method = catalogue.method(Self.method) else { return nil }
    let messages = catalogue.messages
    func path(_ text: String) throws(CodecError) -> FieldPath {
      try FieldPath(text, in: "assent.consent.v1.CheckSignedCopyResponse", messages)
    }
    do throws(CodecError) {
      level = try path("copy.level")
      (sealedAt, sealedBy) = (try path("copy.sealed_at.seconds"), try path("copy.sealed_by"))
      (erased, comparison) = (try path("erased"), try path("comparison"))
      participants = try path("participant_copy")
    } catch {
      return nil
    }
    self.method = method
  }

  /// What the visitor asks; nil when the address contains no identifier.
  func question(_ head: RequestHead) -> VerificationQuestion? {
    guard let text = PercentCoding.decode(head.path.dropFirst(Self.prefix.count)), (1...128).contains(text.utf8.count),
      text.utf8.allSatisfy(Self.isPlain)
    else { return nil }
    // So visitors may paste a line of `sha256sum` as it is.
    let field = head.queryFields?["sha256"] ?? ""
    let word = field.split(whereSeparator: \.isWhitespace).first.map { $0.lowercased() } ?? ""
    return VerificationQuestion(id: text, sha256: word)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// The request for a question, in binary form.
  func request(_ question: VerificationQuestion) throws(Status) -> [UInt8] {
    let sum = question.hasSum ? question.sha256 : ""
    // Neither value needs escaping: `isPlain` admits no quotes, and a SHA-256 is hexadecimal.
    let json = Array("{\"verificationId\":\"\(question.id)\",\"sha256\":\"\(sum)\"}".utf8)
    do throws(CodecError) {
      return try method.input.binary(fromJSON: json.span)
    } catch {
      throw Status(.internal, rule: "internal_error", "the question cannot be written: \(error)")
    }
  }

  /// The time, limited to the years that can be printed.
  private static func time(_ seconds: Int) -> Instant {
    Instant(millisecondsSince1970: min(max(Int64(seconds), 0), 253_402_300_799) * 1000)
  }

  func finding(in answer: [UInt8]) throws(Status) -> VerificationFinding {
    do throws(CodecError) {
      return VerificationFinding(
        level: try level.value(in: answer)?.text ?? "",
        sealedAt: try sealedAt.value(in: answer).map { Self.time($0.integer) },
        sealedBy: try sealedBy.value(in: answer)?.text ?? "", isErased: try erased.value(in: answer)?.integer == 1,
        isParticipants: try participants.value(in: answer)?.integer == 1,
        comparison: VerificationFinding.Comparison(rawValue: try comparison.value(in: answer)?.integer ?? 0))
    } catch {
      throw Status(.internal, rule: "bad_answer", "the service's answer cannot be read: \(error)")
    }
  }
}

/// What a visitor asks: about which document, and about which file of it.
struct VerificationQuestion {
  let id: String
  /// The hash that the visitor gave, in lower case; empty when none was given.
  let sha256: String

  /// Whether the visitor gave something that can be a SHA-256.
  var hasSum: Bool { sha256.utf8.count == 64 && Hex.decode(sha256) != nil }
}

/// What is on record about a document.
struct VerificationFinding {
  /// By the numbers of the contract's `CopyComparison`.
  enum Comparison: Int {
    case same = 1
    case earlier = 2
    case different = 3
    case erased = 4
  }

  let level: String
  /// When the newest file was sealed; nil while there is none.
  let sealedAt: Instant?
  let sealedBy: String
  let isErased: Bool
  /// Whether others still had to sign when it was sealed.
  let isParticipants: Bool
  /// nil when nothing was compared.
  let comparison: Comparison?

  /// Whether there is a sealed file. A document that waits for further signatures may already have one, which was
  /// handed out.
  var isSealed: Bool { sealedAt != nil }
}
