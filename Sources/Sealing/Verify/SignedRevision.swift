internal import PDF

/// A file as it was signed, with what `ChangeFinder` has to know of it. That takes reading all of its objects, and is
/// done once for all later revisions.
struct SignedRevision {
  let file: PDFFile
  let fields: SignatureFields
  let roles: ObjectRoles
  let mentions: Mentions
  /// Objects that only contain other objects, which are checked one by one.
  let containers: Set<Int>
  /// What may change after the signature.
  let rules: ChangeRules

  init(_ file: PDFFile, _ signature: SignatureRules) throws(PDFReadError) {
    self.file = file
    fields = try SignatureFields(file)
    let mentions = try Mentions(file)
    roles = try ObjectRoles(file, fields, mentions)
    containers = file.containers().filter { !mentions.contains($0) }
    self.mentions = mentions
    var permission = signature.permission
    if permission == nil { permission = try fields.permission(file) }
    rules = ChangeRules(
      permission: permission, certifies: signature.certifies, locked: signature.lock.map { LockedFields($0) })
  }
}
