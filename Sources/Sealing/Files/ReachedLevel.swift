public import Base
internal import PDF

extension Sealer {
  /// The level that a file's seal has reached by the file's content, regardless of whom one trusts. nil without a
  /// signature.
  public static func level(of pdf: [UInt8], at now: Instant) throws(SealingError) -> Level? {
    let located: [LocatedSignature]
    do throws(PDFReadError) {
      located = try LocatedSignature.all(in: PDFFile(pdf))
    } catch {
      throw .file(error.description)
    }
    guard let seal = located.last(where: { !$0.isTimeStamp }) else { return nil }
    guard let message = try? SignedMessage(seal.trimmed), !message.timeStamps.isEmpty else { return .basic }
    // The last time over the document needs no proofs of its own until its certificate expires.
    let isArchived = located.last?.isTimeStamp == true
    let end = located.last.map { isArchived ? $0.gap.lowerBound : pdf.count } ?? pdf.count
    guard try ProofNeeds.isComplete(pdf, before: end, at: now) else { return .timed }
    return isArchived ? .archived : .longTerm
  }
}

extension ProofNeeds {
  /// Whether a file has proofs for every signature that ends before this offset.
  static func isComplete(_ pdf: [UInt8], before end: Int, at now: Instant) throws(SealingError) -> Bool {
    do throws(PDFReadError) {
      let file = try PDFFile(pdf)
      let evidence = Evidence(try ProofStore(file))
      guard evidence.isWhole else { return false }
      for signature in try LocatedSignature.all(in: file) where signature.end <= end {
        for (certificate, others, time) in try signers(of: signature, now) {
          let chain = try chain(above: certificate, others + evidence.certificates)
          if !evidence.clears(chain, at: time, now: now) { return false }
        }
      }
      return true
    } catch {
      return false
    }
  }
}
