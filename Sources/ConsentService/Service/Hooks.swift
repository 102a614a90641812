package import ConsentContract
package import ConsentDomain
package import ServicePolicy
package import Storage

/// What ConsentService needs of SignatureService.
package protocol SignatureFields: Sendable {
  /// A tenant's field with what is saved in it; nil when there is no such field.
  func savedField(_ fieldID: String, tenant: Tenant) async throws -> SavedField?
  /// Closes a field for good with the revision that was signed with; a repeat changes nothing.
  func close(_ fieldID: String, with revision: Int32, madeFor place: SignaturePlace, tenant: Tenant) async throws
  /// A picture of a saved signature that was signed with; throws if it does not have this hash.
  func picture(ofSaved signatureID: String, hash: String, tenant: Tenant) async throws -> [UInt8]
  /// Why a typed signature cannot be drawn; nil when it can.
  func problem(ofTyped typed: TypedSignature, tenant: Tenant) async throws -> Refusal?
  /// A picture of a typed signature.
  func picture(ofTyped typed: TypedSignature, tenant: Tenant) async throws -> [UInt8]
  /// The evidence for fields: a bundle, to be joined to a record's.
  func evidence(ofFields fieldIDs: [String], earlier heads: [String], tenant: Tenant) async throws -> [UInt8]
  /// Erases the strokes of a subject whose data were erased here.
  func erase(_ subjectID: String, tenant: Tenant) async throws
  /// Holds a subject's strokes against erasure, as the subject's data are held here, or lifts that hold.
  func hold(_ subjectID: String, _ isHeld: Bool, tenant: Tenant) async throws
  /// The trail of a study's fields and signatures from a position on, which is refused if their log does not have it.
  func trail(of studyID: String, after position: EventPosition, limit: Int, tenant: Tenant) async throws -> TrailPart
}

/// What ConsentService needs of AccountService.
package protocol SubjectAccounts: Sendable {
  /// Erases the account of a subject whose data were erased here, if there is one.
  func erase(_ subjectID: String, tenant: Tenant) async throws
  /// Whether a subject has roles, and so works here.
  func hasRoles(_ subjectID: String, tenant: Tenant) async throws -> Bool
  /// Holds a subject's account against erasure, as the subject's data are held here, or lifts that hold.
  func hold(_ subjectID: String, _ isHeld: Bool, tenant: Tenant) async throws
}

/// The logs of the other services, whose events webhooks get too.
package protocol FollowedLogs: Sendable {
  /// Changes after a token, and the token to go on with; nil where the installation has no such service.
  func changes(in service: FollowedService, after token: String, tenant: Tenant) async throws -> FollowedPage?
}

/// What ConsentService needs of the processes that make documents, and of those that seal.
package protocol CopyPapers: Sendable {
  /// Lays a copy out, with its signatures as paths.
  func compose(_ paper: CopyPaper, tenant: Tenant) async throws -> [UInt8]
  /// A seal over a SHA-256, from which whoever seals learns nothing else.
  func seal(_ digest: [UInt8], tenant: Tenant) async throws -> CopySeal
  /// Adds a time stamp to a seal that was made without one.
  func addTime(to signature: [UInt8], tenant: Tenant) async throws -> CopySeal
  /// The proofs that the certificates of a seal were not revoked.
  func proofs(of signature: [UInt8], tenant: Tenant) async throws -> CopyProofs
  /// An archive time stamp over a SHA-256, as the authority's token; or why there is none yet.
  func attest(_ digest: [UInt8], tenant: Tenant) async throws -> (token: [UInt8], problem: String)
}
