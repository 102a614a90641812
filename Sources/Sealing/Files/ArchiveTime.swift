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

  /// Until when a time attested over a file with its proofs adds to what they prove: the end of the certificate of the
  /// authority whose time is the last one in it. The signer's own may have ended: what proves it is in the file, and
  /// the last time shows that it was valid then. nil without an attested time.
  public static func attestableUntil(_ pdf: [UInt8]) throws(SealingError) -> Instant? {
    do throws(PDFReadError) {
      guard let last = try LocatedSignature.all(in: PDFFile(pdf)).last else { return nil }
      let signers = try ProofNeeds.signers(of: last, Instant(millisecondsSince1970: 0))
      // A seal's signer stands before those who attest its time.
      return signers.dropFirst(last.isTimeStamp ? 0 : 1).map(\.certificate.validUntil).max()
    } catch {
      throw .file(error.description)
    }
  }
}
