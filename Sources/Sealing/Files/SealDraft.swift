public import Base
internal import PDF

/// A file with everything but the signature itself: its bytes are final, except for a gap.
public struct SealDraft: Sendable {
  private var bytes: [UInt8]
  private let gap: Range<Int>

  /// What the signature covers: everything outside the gap.
  public var covered: [UInt8] { Array(bytes[..<gap.lowerBound]) + bytes[gap.upperBound...] }

  /// SHA-256 of what the signature covers.
  public var digest: [UInt8] {
    var builder = DigestBuilder()
    builder.update(Array(bytes[..<gap.lowerBound]))
    builder.update(Array(bytes[gap.upperBound...]))
    return builder.finish().bytes
  }

  /// - Parameters:
  ///   - now: the time that the signer states; nil for a time stamp over the document.
  public init(_ pdf: [UInt8], _ request: SealRequest, at now: Instant?) throws(SealingError) {
    do throws(PDFReadError) {
      self = try Self.made(pdf, request, at: now)
    } catch {
      throw .file(error.description)
    }
  }

  private init(bytes: [UInt8], gap: Range<Int>) {
    self.bytes = bytes
    self.gap = gap
  }

  /// Puts the signature into the gap.
  public consuming func complete(with signature: [UInt8]) throws(SealingError) -> [UInt8] {
    let room = (gap.count - 2) / 2
    guard signature.count <= room else { throw .noRoom(needed: signature.count, reserved: room) }
    bytes.replaceSubrange(
      (gap.lowerBound + 1)..<(gap.lowerBound + 1 + signature.count * 2), with: Hex.encode(signature).utf8)
    return bytes
  }

  // MARK: - Making

  private static func made(
    _ pdf: [UInt8], _ request: SealRequest, at now: Instant?
  ) throws(PDFReadError) -> SealDraft {
    let file = try PDFFile(pdf)
    let fields = try SignatureFields(file)
    try check(fields, file, request, isTimeStamp: now == nil)
    var writer = try RevisionWriter(file)
    let own = writer.reserve()
    let asked = try fieldLock(fields, file, request, now)
    let dictionary = try signature(request, at: now, lock: request.lock ?? asked)
    try FieldPlacement(file: file, fields: fields, request: request, signature: own, isTimeStamp: now == nil)
      .write(into: &writer)
    writer.write(bytes: dictionary.bytes, as: own)
    var (bytes, offsets) = writer.finish()
    let start = (offsets[own] ?? 0) + "\(own.number) \(own.generation) obj\n".utf8.count
    let gap = (start + dictionary.gap.lowerBound)..<(start + dictionary.gap.upperBound)
    let numbers = "0 \(gap.lowerBound) \(gap.upperBound) \(bytes.count - gap.upperBound)"
    let place = start + dictionary.range
    bytes.replaceSubrange(place..<(place + numbers.utf8.count), with: numbers.utf8)
    let draft = SealDraft(bytes: bytes, gap: gap)
    guard try RangeClaims.places(in: draft.covered, file.budget) == [place - 1] else {
      throw PDFReadError("its signature would fit a second place in it as well, and sign another document there")
    }
    return draft
  }

  private static func check(
    _ fields: SignatureFields, _ file: PDFFile, _ request: SealRequest, isTimeStamp: Bool
  ) throws(PDFReadError) {
    if request.permission != nil, !fields.signed.isEmpty {
      throw PDFReadError("it is signed already, and only the first signature can certify a document")
    }
    if try fields.permission(file) == 1, !isTimeStamp {
      throw PDFReadError("it was certified, and its certificate permits no further signature")
    }
    guard !isTimeStamp else { return }
    let place = try fields.empty(for: request, isTimeStamp: false, file)
    let name = request.field ?? place?.name ?? "Signature1"
    if let signed = try fields.lock(on: name, file) {
      throw PDFReadError("the signature in '\(signed)' locks the field '\(name)'")
    }
    if request.field != nil, fields.all.contains(where: { $0.name == name && $0.signature != nil }) {
      throw PDFReadError("its field '\(name)' is signed already")
    }
  }

  /// The lock that the field to be signed asks for.
  private static func fieldLock(
    _ fields: SignatureFields, _ file: PDFFile, _ request: SealRequest, _ now: Instant?
  ) throws(PDFReadError) -> FieldLock? {
    guard now != nil else { return nil }
    let field = try fields.empty(for: request, isTimeStamp: false, file)
    guard let lock = try file.resolve(field?.dictionary["Lock"]).dictionary else { return nil }
    return try FieldLock(lock, file)
  }

  /// The bytes of the signature's dictionary, with placeholders for what is known only when the file is complete.
  private static func signature(
    _ request: SealRequest, at now: Instant?, lock: FieldLock?
  ) throws(PDFReadError) -> (bytes: [UInt8], range: Int, gap: Range<Int>) {
    var bytes = Array("<</Type".utf8)
    bytes += (now == nil ? "/DocTimeStamp" : "/Sig").utf8
    bytes += "/Filter/Adobe.PPKLite/SubFilter".utf8
    bytes += (now == nil ? "/ETSI.RFC3161" : "/ETSI.CAdES.detached").utf8
    bytes += "/ByteRange[".utf8
    let range = bytes.count
    // Room for four numbers of ten digits.
    bytes += String(repeating: " ", count: 43).utf8
    bytes += "]/Contents".utf8
    let start = bytes.count
    bytes += "<\(String(repeating: "0", count: request.reservedBytes * 2))>".utf8
    let gap = start..<bytes.count
    if let now {
      bytes += "/M".utf8
      bytes.append(.string(Array(PDFDate.text(now).utf8)))
    }
    for (name, text) in [("Name", request.name), ("Reason", request.reason), ("Location", request.location)]
    where !text.isEmpty {
      bytes += "/\(name)".utf8
      bytes.append(.text(text))
    }
    let rules = [request.permission?.rule, lock?.rule].compactMap(\.self)
    if !rules.isEmpty {
      bytes += "/Reference".utf8
      bytes.append(.array(rules))
    }
    return (bytes + ">>".utf8, range, gap)
  }
}
