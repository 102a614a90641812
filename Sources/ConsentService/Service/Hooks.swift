package import ConsentContract
package import Storage

/// What ConsentService asks of SignatureService.
package protocol SignatureFields: Sendable {
  /// The hash of the strokes saved in a field of this subject's; nil when nothing is saved there.
  func savedStrokes(inField fieldID: String, of subjectID: String) async throws -> String?
  /// A picture of what is saved in a field of a tenant's; what a completed record shows.
  func picture(ofField fieldID: String, tenant: Tenant) async throws -> [UInt8]
  /// A picture of a typed signature.
  func picture(ofTyped typed: TypedSignature, tenant: Tenant) async throws -> [UInt8]
  /// Erases the strokes of a subject whose data were erased here.
  func erase(_ subjectID: String, tenant: Tenant) async throws
}
