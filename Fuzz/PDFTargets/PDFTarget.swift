internal import Base
public import FuzzKit
internal import PDF
internal import Sealing

/// What must hold for any bytes given to those who verify documents: an answer, and *valid* only for what a trusted
/// signer has signed. And for those who want it shown to people: it has pages, and not too many.
public enum PDFTarget: FuzzTarget {
  private static let now = Instant(millisecondsSince1970: 1_790_000_000_000)
  /// What the seeds are signed with. The verifier trusts both, so that a forgery would be valid.
  private static let signer = key(1)
  private static let second = key(3)
  private static let verifier = DocumentVerifier(
    trusting: Trust(roots: [signer.certificate, second.certificate]), at: now)

  public static func complaint(about input: [UInt8]) -> String? {
    let report = verifier.verify(input)
    if report.verdict == .passed {
      guard let seed = sealed.first(where: { $0.begins(input) }) else { return "bytes that nobody signed are valid" }
      if !seed.isShown(by: input) { return "a file is valid that shows something else than what was signed" }
    }
    if let file = try? PassiveFile(input, mostPages: 8), !(1...8).contains(file.pageCount) {
      return "a file of \(file.pageCount) pages is taken"
    }
    return report.lines.isEmpty || report.json.isEmpty ? "nothing is said of a file" : nil
  }

  /// Whether a file is signed by whom the target trusts.
  public static func isValid(_ input: [UInt8]) -> Bool { verifier.verify(input).verdict == .passed }

  public static func seeds() -> [[UInt8]] { made }

  private static let made: [[UInt8]] = {
    do {
      var seeds = [plain(), RawSeeds.packed(), RawSeeds.hybrid()]
      for seed in seeds {
        let once = try signed(seed)
        seeds += [once, try signedAgain(once)]
      }
      return seeds
    } catch {
      preconditionFailure("the seeds cannot be signed: \(error)")
    }
  }()

  private static func plain() -> [UInt8] {
    var document = PDFDocument(DocumentFacts(title: "Seed", language: "en", created: now))
    let root = document.tree.add("Document", in: nil)
    document.addPage(width: 100, height: 100)
    document.signatureField(
      PDFBox(left: 10, bottom: 10, right: 50, top: 30), name: "seal", title: "Seal",
      document.tree.add("Form", in: root))
    return document.finish()
  }

  private static func key(_ serial: UInt8) -> SealKey {
    do {
      return try KeyMaker.make(name: "Seed", from: now + .days(-1), until: now + .days(1), serial: [serial])
    } catch {
      preconditionFailure("a key cannot be made: \(error)")
    }
  }

  private static func signed(_ pdf: [UInt8]) throws -> [UInt8] {
    var request = SealRequest(permission: .signing)
    request.reservedBytes = 1024
    let draft = try SealDraft(pdf, request, at: now)
    return try draft.complete(with: Sealer(key: signer, nonce: { [1] }).sign(digest: draft.digest))
  }

  private static func signedAgain(_ pdf: [UInt8]) throws -> [UInt8] {
    let authority = try KeyMaker.make(
      name: "Root", purpose: .authority, from: now + .days(-1), until: now + .days(1), serial: [9])
    let list = KeyMaker.revocations(by: authority, at: now, until: now + .days(1))
    let proven = try Sealer.addProofs(to: pdf, certificates: [key(2).certificate], lists: [list])
    var again = SealRequest()
    again.reservedBytes = 1024
    let draft = try SealDraft(proven, again, at: now)
    return try draft.complete(with: Sealer(key: second, nonce: { [1] }).sign(digest: draft.digest))
  }

  // MARK: - What is signed

  /// What the first signature of each signed seed covers.
  private static let sealed = made.compactMap { SealedSeed($0) }
}

/// A signed file up to the end of its first signature: all of it is covered but the signature itself.
private struct SealedSeed {
  private let head: [UInt8]
  private let tail: [UInt8]
  private let gap: Int
  private let shown: [PDFObject]

  /// - Parameter bytes: what a signature covers to the end; nil where nothing is signed.
  init?(_ bytes: [UInt8]) {
    guard let signature = try? LastSeal(of: bytes) else { return nil }
    let digits = Array(Hex.encode(signature.signature).utf8)
    let places = bytes.indices.dropLast(digits.count)
    guard let place = places.first(where: { bytes[$0...].starts(with: digits) }),
      let end = bytes[place...].firstIndex(of: UInt8(ascii: ">"))
    else { return nil }
    guard let shown = try? Self.shown(by: bytes) else { return nil }
    (head, tail, gap) = (Array(bytes[..<place]), Array(bytes[end...]), end - place)
    self.shown = shown
  }

  /// Whether a file shows what the seed shows, whatever was appended to it.
  func isShown(by input: [UInt8]) -> Bool { (try? Self.shown(by: input)) == shown }

  /// The catalog, the pages and what is drawn on them, without what further signatures and proofs may add to.
  private static func shown(by bytes: [UInt8]) throws -> [PDFObject] {
    let file = try PDFFile(bytes)
    var catalog = try file.catalog()
    for name in ["AcroForm", "DSS", "Extensions"] { catalog[name] = nil }
    var shown = [PDFObject.dictionary(catalog)]
    var waiting = [catalog["Pages"]].compactMap { $0 }
    // A circle of pages is refused by who verifies.
    while let next = waiting.popLast(), shown.count < 100 {
      var node = try file.resolve(next).dictionary ?? [:]
      node["Annots"] = nil
      shown.append(.dictionary(node))
      for part in try file.resolve(node["Contents"]).array ?? [node["Contents"] ?? .null] {
        shown.append(try file.resolve(part))
      }
      waiting += try file.resolve(node["Kids"]).array ?? []
    }
    return shown
  }

  func begins(_ input: [UInt8]) -> Bool {
    input.starts(with: head) && input.dropFirst(head.count + gap).starts(with: tail)
  }
}
