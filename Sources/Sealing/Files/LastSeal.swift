internal import Base
internal import PDF

/// The last signature of a sealed file. It can be given an attested time later without a change of anything signed.
public struct LastSeal: Sendable {
  private var bytes: [UInt8]
  private let gap: Range<Int>
  /// The signature, CMS in DER.
  public let signature: [UInt8]

  public init(of pdf: [UInt8]) throws(SealingError) {
    do throws(PDFReadError) {
      guard let last = try LocatedSignature.all(in: PDFFile(pdf)).last, last.end == pdf.count else {
        throw PDFReadError("nothing in it is signed, or something follows its last signature")
      }
      (bytes, gap, signature) = (pdf, last.gap, last.trimmed)
    } catch {
      throw .file(error.description)
    }
  }

  /// The file with the same signature and more unsigned attributes, in the room that was reserved.
  public consuming func replaced(by extended: [UInt8]) throws(SealingError) -> [UInt8] {
    do throws(DERFault) {
      guard try SignedMessage(extended).signature == SignedMessage(signature).signature else {
        throw DERFault(finding: "it is another signature")
      }
    } catch {
      throw .refused(error.finding)
    }
    let room = (gap.count - 2) / 2
    guard extended.count <= room else { throw .noRoom(needed: extended.count, reserved: room) }
    let digits = Hex.encode(extended) + String(repeating: "0", count: (room - extended.count) * 2)
    bytes.replaceSubrange((gap.lowerBound + 1)..<(gap.upperBound - 1), with: digits.utf8)
    return bytes
  }
}
