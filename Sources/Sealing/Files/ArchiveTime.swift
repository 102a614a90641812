public import Base
internal import PDF

/// The attested time over a whole file that is the last thing in it.
public struct ArchiveTime: Sendable {
  /// CMS in DER.
  public let token: [UInt8]
  public let time: Instant
  /// When the certificate of its authority ends: by then another one has to attest that the file was there.
  public let validUntil: Instant

  /// - Returns: nil where the file does not end with one.
  public init?(of pdf: [UInt8]) throws(SealingError) {
    do throws(PDFReadError) {
      guard let last = try LocatedSignature.all(in: PDFFile(pdf)).last, last.end == pdf.count, last.isTimeStamp else {
        return nil
      }
      token = last.trimmed
      let stamp: TimeStamp
      do throws(DERFault) {
        stamp = try TimeStamp(token: token)
      } catch {
        throw PDFReadError("its last time stamp cannot be read: \(error.finding)")
      }
      (time, validUntil) = (stamp.time, stamp.authority.validUntil)
    } catch {
      throw .file(error.description)
    }
  }
}

extension Sealer {
  /// Until when more can be proven of a file's last signature: the end of the first certificate, the signer's or the
  /// authority's, that ends. Later nobody publishes anything about it any longer. nil without a signature.
  public static func provableUntil(_ pdf: [UInt8]) throws(SealingError) -> Instant? {
    do throws(PDFReadError) {
      guard let last = try LocatedSignature.all(in: PDFFile(pdf)).last else { return nil }
      return try ProofNeeds.signers(of: last, Instant(millisecondsSince1970: 0)).map(\.certificate.validUntil).min()
    } catch {
      throw .file(error.description)
    }
  }
}
