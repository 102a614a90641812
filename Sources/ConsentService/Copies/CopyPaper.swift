package import Base
package import ConsentContract

/// The content of a consent's copy, before it is laid out.
package struct CopyPaper: Sendable {
  /// The document with its signature page.
  package var review: ReviewDocument
  /// Markup that says what was chosen and entered, before the signatures; empty if nothing was.
  package var choices = ""
  /// The pictures of the signatures on it, by the signatures' identifiers in the document.
  package var images: [String: CopyImage] = [:]
  /// The roles of signers, by the identifiers of the signatures.
  package var roles: [String: Translation] = [:]
  /// Languages, where they are known: of headings by their sections, of the words in times by their signatures, and of
  /// the signature page's title.
  package var headingLanguages: [String: String] = [:]
  package var timeLanguages: [String: String] = [:]
  package var signatureTitleLanguage = ""
  /// PNG and JPEG, by their hashes.
  package var pictures: [ConsentAsset] = []
  package var header = ""
  package var watermark = ""
  package var author = ""
  package var created: Instant
  /// The address at which the copy can be verified; empty if there is none.
  package var verificationAddress = ""
  package var isSealable = false
  package var attachments: [CopyAttachment] = []
  /// A scan that is a file, whose pages are shown if they can be drawn.
  package var scan: CopyScan?

  package init(review: ReviewDocument, created: Instant) {
    (self.review, self.created) = (review, created)
  }
}

/// The picture that a signature was given with.
package enum CopyImage: Sendable {
  /// A saved revision of a field: it is drawn only if its strokes have this hash.
  case saved(String, hash: String)
  case typed(TypedSignature)
}

package struct CopyScan: Sendable {
  let bytes: [UInt8]
  /// What it is called, in the document's language.
  let name: String
}

package struct CopyAttachment: Sendable {
  package let name: String
  package let mediaType: String
  package let description: String
  package let bytes: [UInt8]
}

/// A seal over the hash of a document.
package struct CopySeal: Sendable {
  /// CMS in DER.
  package let signature: [UInt8]
  package let level: String
  /// Why the seal has no time stamp although it should; empty if it has one, or if no authority was to be asked.
  package let timeProblem: String
  /// The subject of its certificate.
  package let sealedBy: String

  package init(signature: [UInt8], level: String, timeProblem: String, sealedBy: String) {
    (self.signature, self.level, self.timeProblem, self.sealedBy) = (signature, level, timeProblem, sealedBy)
  }
}

/// Proofs that the certificates of a seal were not revoked, all of them in DER.
package struct CopyProofs: Sendable {
  package let certificates: [[UInt8]]
  /// Certificate revocation lists.
  package let lists: [[UInt8]]
  /// OCSP responses.
  package let answers: [[UInt8]]
  /// Why there are no proofs yet; empty if there are.
  package let problem: String

  package init(certificates: [[UInt8]], lists: [[UInt8]], answers: [[UInt8]], problem: String) {
    (self.certificates, self.lists, self.answers, self.problem) = (certificates, lists, answers, problem)
  }
}
