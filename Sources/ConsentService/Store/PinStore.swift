internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import ServicePolicy
internal import Storage
internal import Wire

/// The revisions of fields that were signed with: each is used for one signature, at one place.
///
/// A pin is written in the transaction that signs, so that one commit decides; closing the field in SignatureService
/// follows from it, now or by the job.
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

  /// Uses a field up. Signing again at the same place, after going back to it, repeats the same use.
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
