internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import ServicePolicy
internal import Storage
internal import Wire

/// Pins: for each field that was signed with, its revision and the place of the one signature that it is used for.
///
/// A pin is written in the transaction that records the signature, so that one commit decides about both. The field is
/// closed in SignatureService afterwards, at once or by a job.
enum PinStore {
  private static let insert = Statement(
    "pin.insert",
    "INSERT INTO field_pins (tenant, field_id, revision, place, pinned_ms) VALUES ({tenant}, ?, ?, ?, ?)")
  private static let find = Statement(
    "pin.find", "SELECT revision, place FROM field_pins WHERE tenant = {tenant} AND field_id = ?")

  static let statements = [insert, find]

  struct Pin: Sendable {
    let revision: Int32
    let place: SignaturePlace
  }

  /// Uses up a field; throws if it was used at another place. A person who goes back and signs at the same place again
  /// keeps the field's pin.
  static func pin(_ field: SavedField, at place: SignaturePlace, _ transaction: Transaction) throws {
    if let known = try pin(of: field.fieldID, transaction) {
      guard known.place == place, known.revision == field.revision else { throw field.used() }
      return
    }
    guard !field.isClosed else { throw field.used() }
    try transaction.run(insert, field.fieldID, Int64(field.revision), try place.encoded(), transaction.now)
    try FieldCloser.enqueue(field.fieldID, transaction)
  }

  static func pin(of fieldID: String, _ snapshot: Snapshot) throws -> Pin? {
    guard let row = try snapshot.first(find, fieldID) else { return nil }
    return Pin(
      revision: Int32(truncatingIfNeeded: try row.get("revision", as: Int64.self)), place: try row.message("place"))
  }
}
