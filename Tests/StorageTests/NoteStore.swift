import Storage

/// A small service's tables and statements, for the tests to use.
enum NoteStore {
  static let migrations = [
    Migration(
      1, "notes",
      """
      CREATE TABLE notes (
        tenant TEXT NOT NULL, id TEXT NOT NULL, place BIGINT NOT NULL, body TEXT, weight DOUBLE PRECISION,
        picture BYTES, PRIMARY KEY (tenant, id));
      CREATE INDEX notes_by_place ON notes (tenant, place, id);
      """),
    Migration(
      2, "comments",
      """
      CREATE TABLE comments (
        tenant TEXT NOT NULL, note TEXT NOT NULL, number BIGINT NOT NULL, body TEXT NOT NULL,
        PRIMARY KEY (tenant, note, number), FOREIGN KEY (tenant, note) REFERENCES notes (tenant, id))
      {clustered};
      """),
  ]

  static let insert = Statement(
    "note.insert", "INSERT INTO notes (tenant, id, place, body, weight, picture) VALUES ({tenant}, ?, ?, ?, ?, ?)")
  static let insertOnce = Statement(
    "note.insert-once",
    "INSERT INTO notes (tenant, id, place) VALUES ({tenant}, ?, ?) ON CONFLICT (tenant, id) DO NOTHING")
  static let find = Statement(
    "note.find", "SELECT id, place, body, weight, picture FROM notes WHERE tenant = {tenant} AND id = ?")
  static let list = Statement(
    "note.list",
    "SELECT id, place FROM notes WHERE tenant = {tenant} AND {after place, id} ORDER BY place, id LIMIT {limit}")
  static let newest = Statement(
    "note.newest",
    "SELECT n.id, n.place FROM notes n WHERE n.tenant = {tenant} AND n.place >= ? AND {before n.place, n.id} "
      + "ORDER BY n.place DESC, n.id DESC LIMIT {limit}")
  static let count = Statement("note.count", "SELECT count(*) AS notes FROM notes WHERE tenant = {tenant}")
  static let total = Statement(
    "note.total", "SELECT CAST(coalesce(sum(place), 0) AS BIGINT) AS total FROM notes WHERE tenant = {tenant}")
  static let move = Statement(
    "note.move", "UPDATE notes SET place = ? WHERE tenant = {tenant} AND id = ?")
  static let lock = Statement(
    "note.lock", "SELECT place FROM notes WHERE tenant = {tenant} AND id = ? FOR UPDATE")
  static let delete = Statement("note.delete", "DELETE FROM notes WHERE tenant = {tenant} AND id = ?")
  static let comment = Statement(
    "comment.insert", "INSERT INTO comments (tenant, note, number, body) VALUES ({tenant}, ?, ?, ?)")
  static let commented = Statement(
    "comment.list",
    "SELECT n.id, c.number, c.body FROM notes n JOIN comments c ON c.tenant = {tenant} AND c.note = n.id "
      + "WHERE n.tenant = {tenant} ORDER BY n.id, c.number")

  static let statements = [
    insert, insertOnce, find, list, newest, count, total, move, lock, delete, comment, commented,
  ]
}
