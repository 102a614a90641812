internal import Base
internal import ConsentContract
internal import ServicePolicy
internal import Storage
internal import Wire

/// A tenant's own words: versions that never change, and the next version while it waits for a second person's
/// approval.
enum TextsStore {
  private static let insert = Statement(
    "texts.insert", "INSERT INTO text_versions (tenant, version, body) VALUES ({tenant}, ?, ?)")
  private static let newest = Statement(
    "texts.newest",
    "SELECT body FROM text_versions WHERE tenant = {tenant} ORDER BY version DESC LIMIT 1")
  private static let newestNumber = Statement(
    "texts.newest-number", "SELECT COALESCE(MAX(version), 0) AS version FROM text_versions WHERE tenant = {tenant}")
  private static let find = Statement(
    "texts.find", "SELECT body FROM text_versions WHERE tenant = {tenant} AND version = ?")
  private static let ask = Statement(
    "texts.ask",
    "INSERT INTO pending_texts (tenant, version, body) VALUES ({tenant}, ?, ?) "
      + "ON CONFLICT (tenant, version) DO UPDATE SET body = excluded.body")
  private static let pending = Statement(
    "texts.pending", "SELECT body FROM pending_texts WHERE tenant = {tenant} ORDER BY version DESC LIMIT 1")
  private static let settle = Statement("texts.settle", "DELETE FROM pending_texts WHERE tenant = {tenant}")

  static let statements = [insert, newest, newestNumber, find, ask, pending, settle]

  /// The words in force; of version 0 while the tenant has none of its own.
  static func current(_ snapshot: Snapshot) throws -> TextsVersion {
    try snapshot.first(newest)?.message("body") ?? TextsVersion()
  }

  /// The number of the words in force.
  static func currentVersion(_ snapshot: Snapshot) throws -> Int64 { try snapshot.one(newestNumber).get("version") }

  /// The words of a version. Version 0, from before the tenant had any, is empty.
  static func version(_ number: Int32, _ snapshot: Snapshot) throws -> TextsVersion {
    try snapshot.first(find, Int64(number))?.message("body") ?? TextsVersion()
  }

  /// The words that wait for a second person's approval.
  static func pending(_ snapshot: Snapshot) throws -> TextsVersion? {
    try snapshot.first(pending)?.message("body")
  }

  static func publish(_ texts: TextsVersion, _ transaction: Transaction) throws {
    try transaction.run(insert, Int64(texts.version), try encoded(texts))
    try transaction.run(settle)
  }

  /// Stores words that wait for approval, under the version number that they will have.
  static func ask(for texts: TextsVersion, _ transaction: Transaction) throws {
    try transaction.run(ask, Int64(try current(transaction).version) + 1, try encoded(texts))
  }

  /// Encodes words within a limit that is lower than usual: every session reads the words in force, and one response
  /// may hold these and the words that wait for approval.
  private static func encoded(_ texts: TextsVersion) throws -> [UInt8] {
    try LastingMessage.encode(texts, as: "all words of the tenant's own", atMost: longest)
  }

  private static let longest = 8 << 20
}
