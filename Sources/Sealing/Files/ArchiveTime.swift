public import Base
internal import PDF

/// The attested time over a whole file, if it is the last thing in the file.
public struct ArchiveTime: Sendable {
  /// CMS in DER.
  public let token: [UInt8]
  public let time: Instant
  /// When the authority's certificate expires: by then another authority has to attest that the file existed.
  public let validUntil: Instant

  /// - Returns: nil when the file does not end with an attested time.
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
  /// Until when proofs for a file's last signature can be obtained: when the first certificate of the signer or the
  /// time-stamping authorities expires. After that nobody publishes revocations about it. nil without a signature.
  public static func provableUntil(_ pdf: [UInt8]) throws(SealingError) -> Instant? {
    do throws(PDFReadError) {
      guard let last = try LocatedSignature.all(in: PDFFile(pdf)).last else { return nil }
      return try ProofNeeds.signers(of: last, Instant(millisecondsSince1970: 0)).map(\.certificate.validUntil).min()
    } catch {
      throw .file(error.description)
    }
  }

  /// Until when attesting the time over a file prolongs what its proofs prove: until the certificate of the last
  /// attested time's authority expires. The signer's certificate may have expired before: its proofs are in the file,
  /// and the last time shows that it was valid then. nil without an attested time.
  public static func attestableUntil(_ pdf: [UInt8]) throws(SealingError) -> Instant? {
    do throws(PDFReadError) {
      guard let last = try LocatedSignature.all(in: PDFFile(pdf)).last else { return nil }
      let signers = try ProofNeeds.signers(of: last, Instant(millisecondsSince1970: 0))
      // The seal's signer comes before those who attest its time.
      return signers.dropFirst(last.isTimeStamp ? 0 : 1).map(\.certificate.validUntil).max()
    } catch {
      throw .file(error.description)
    }
  }
}
