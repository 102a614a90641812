package import ConsentContract
package import Storage

/// What ConsentService needs of SignatureService.
package protocol SignatureFields: Sendable {
  /// The hash of the strokes that are saved in a subject's field; nil when none are.
  func savedStrokes(inField fieldID: String, of subjectID: String) async throws -> String?
  /// A picture of the signature saved in a tenant's field, for completed records.
  func picture(ofField fieldID: String, tenant: Tenant) async throws -> [UInt8]
  /// A picture of a typed signature.
  func picture(ofTyped typed: TypedSignature, tenant: Tenant) async throws -> [UInt8]
  /// Erases the strokes of a subject whose data were erased here.
  func erase(_ subjectID: String, tenant: Tenant) async throws
}
