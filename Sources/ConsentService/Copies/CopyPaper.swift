package import Base
package import ConsentContract

/// Everything that a copy of a consent says, before it is laid out.
package struct CopyPaper: Sendable {
  /// The document with its signature page.
  package var review: ReviewDocument
  /// The pictures of the signatures on it, by the signatures' identifiers in the document.
  package var images: [String: CopyImage] = [:]
  /// The roles of signers, by the identifiers of the signatures.
  package var roles: [String: Translation] = [:]
  /// The languages of headings, by their sections, of the words in times, by their signatures, and of the signature
  /// page's title, where they are known.
  package var headingLanguages: [String: String] = [:]
  package var timeLanguages: [String: String] = [:]
  package var signatureTitleLanguage = ""
  /// PNG and JPEG, by their hashes.
  package var pictures: [ConsentAsset] = []
  package var header = ""
  package var watermark = ""
  package var author = ""
  package var created: Instant
  /// Where it can be verified; empty: nowhere.
  package var verificationAddress = ""
  package var isSealable = false
  package var attachments: [CopyAttachment] = []

  package init(review: ReviewDocument, created: Instant) {
    (self.review, self.created) = (review, created)
  }
}

/// The picture that a signature was given with.
package enum CopyImage: Sendable {
  /// A revision of a field, known by its hash: nothing else is drawn.
  case saved(String, hash: String)
  case typed(TypedSignature)
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
  /// Why the time is not attested although it should be; empty: it is, or nobody attests it.
  package let timeProblem: String
  /// The subject of its certificate.
  package let sealedBy: String

  package init(signature: [UInt8], level: String, timeProblem: String, sealedBy: String) {
    (self.signature, self.level, self.timeProblem, self.sealedBy) = (signature, level, timeProblem, sealedBy)
  }
}

/// What proves that the certificates of a seal were not revoked, all of it in DER.
package struct CopyProofs: Sendable {
  package let certificates: [[UInt8]]
  /// Certificate revocation lists.
  package let lists: [[UInt8]]
  /// OCSP responses.
  package let answers: [[UInt8]]
  /// Why there is none yet; empty: there is.
  package let problem: String

  package init(certificates: [[UInt8]], lists: [[UInt8]], answers: [[UInt8]], problem: String) {
    (self.certificates, self.lists, self.answers, self.problem) = (certificates, lists, answers, problem)
  }
}
