internal import PDF

/// A file as it was signed, with what `ChangeFinder` has to know of it. That takes reading all of its objects, and is
/// done once for all later revisions.
struct SignedRevision {
  let file: PDFFile
  let fields: SignatureFields
  let roles: ObjectRoles
  /// How many times its objects refer to each number.
  let mentions: [Int: Int]
  /// Objects that only contain other objects, which are checked one by one.
  let containers: Set<Int>
  /// What may change after the signature.
  let rules: ChangeRules

  init(_ file: PDFFile, _ signature: SignatureRules) throws(PDFReadError) {
    self.file = file
    fields = try SignatureFields(file)
    roles = try ObjectRoles(file, fields)
    mentions = try Self.mentions(in: file)
    containers = file.containers().subtracting(mentions.keys)
    var permission = signature.permission
    if permission == nil { permission = try fields.permission(file) }
    rules = ChangeRules(
      permission: permission, certifies: signature.certifies, locked: signature.lock.map { LockedFields($0) })
  }

  /// How many times a file's objects refer to each number.
  private static func mentions(in file: PDFFile) throws(PDFReadError) -> [Int: Int] {
    var mentions: [Int: Int] = [:]
    // Cross-reference streams are skipped, since the trailer says what counts of them. An older one is read only if
    // something else refers to it, which might show it.
    var unmentioned = Set(file.numbers.filter { file.hasReferences($0) })
    var mentioned: [Int] = []
    func count(_ first: PDFObject) {
      var waiting = [first]
      while let object = waiting.popLast() {
        switch object {
        case .reference(let reference):
          mentions[reference.number, default: 0] += 1
          if unmentioned.remove(reference.number) != nil { mentioned.append(reference.number) }
        case .array(let values): waiting += values
        case .dictionary(let dictionary): waiting += dictionary.entries.map(\.value)
        case .stream(let stream): waiting += stream.dictionary.entries.map(\.value)
        default: break
        }
      }
    }
    count(.dictionary(file.trailer))
    for number in file.numbers where !file.hasReferences(number) { count(try file.object(number)) }
    while let number = mentioned.popLast() { count(try file.object(number)) }
    return mentions
  }
}
