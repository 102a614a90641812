internal import Base
public import FuzzKit
internal import PDF
internal import Sealing

/// What must hold for any bytes given to those who verify documents: an answer, and never *valid*, since the input is
/// nobody's whom the verifier trusts. And for those who want it shown to people: it has pages, and not too many.
public enum PDFTarget: FuzzTarget {
  private static let verifier = DocumentVerifier(
    trusting: Trust(), at: Instant(millisecondsSince1970: 1_790_000_000_000))

  public static func complaint(about input: [UInt8]) -> String? {
    let report = verifier.verify(input)
    if report.verdict == .valid { return "bytes that nobody signed are valid" }
    if let file = try? PassiveFile(input, mostPages: 8), !(1...8).contains(file.pageCount) {
      return "a file of \(file.pageCount) pages is taken"
    }
    return report.lines.isEmpty || report.json.isEmpty ? "nothing is said of a file" : nil
  }

  public static func seeds() -> [[UInt8]] {
    var document = PDFDocument(
      DocumentFacts(title: "Seed", language: "en", created: Instant(millisecondsSince1970: 1_790_000_000_000)))
    let root = document.tree.add("Document", in: nil)
    document.addPage(width: 100, height: 100)
    document.signatureField(
      PDFBox(left: 10, bottom: 10, right: 50, top: 30), name: "seal", title: "Seal",
      document.tree.add("Form", in: root))
    let plain = document.finish()
    var seeds = [plain, RawSeeds.packed(), RawSeeds.hybrid()]
    for seed in seeds {
      guard let signed = try? signed(seed), let twice = try? signedAgain(signed) else { continue }
      seeds += [signed, twice]
    }
    return seeds
  }

  private static func key(_ serial: UInt8) throws -> SealKey {
    let now = Instant(millisecondsSince1970: 1_790_000_000_000)
    return try KeyMaker.make(name: "Seed", from: now + .days(-1), until: now + .days(1), serial: [serial])
  }

  private static func signed(_ pdf: [UInt8]) throws -> [UInt8] {
    let sealer = Sealer(key: try key(1), nonce: { [1] })
    var request = SealRequest(permission: .signing)
    request.reservedBytes = 1024
    let draft = try SealDraft(pdf, request, at: Instant(millisecondsSince1970: 1_790_000_000_000))
    return try draft.complete(with: sealer.sign(digest: draft.digest))
  }

  private static func signedAgain(_ pdf: [UInt8]) throws -> [UInt8] {
    let now = Instant(millisecondsSince1970: 1_790_000_000_000)
    let authority = try KeyMaker.make(
      name: "Root", purpose: .authority, from: now + .days(-1), until: now + .days(1), serial: [9])
    let list = KeyMaker.revocations(by: authority, at: now, until: now + .days(1))
    let proven = try Sealer.addProofs(to: pdf, certificates: [try key(2).certificate], lists: [list])
    var again = SealRequest()
    again.reservedBytes = 1024
    let draft = try SealDraft(proven, again, at: Instant(millisecondsSince1970: 1_790_000_000_000))
    return try draft.complete(with: Sealer(key: try key(3), nonce: { [1] }).sign(digest: draft.digest))
  }
}
