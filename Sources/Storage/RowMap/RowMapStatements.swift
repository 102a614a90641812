/// The SQL of the maps of rows.
enum RowMapStatements {
  static let pagesAtOnce = 32

  static let pages = Statement(
    own: "storage.row-map.pages",
    "SELECT prefix, page FROM storage_row_pages WHERE tenant = {tenant} AND prefix IN ("
      + repeatElement("?", count: pagesAtOnce).joined(separator: ", ") + ")")
  static let allPages = Statement(
    own: "storage.row-map.all-pages",
    "SELECT prefix, page FROM storage_row_pages WHERE tenant = {tenant} ORDER BY prefix")
  static let putPage = Statement(
    own: "storage.row-map.put-page",
    "INSERT INTO storage_row_pages (tenant, prefix, page) VALUES ({tenant}, ?, ?) "
      + "ON CONFLICT (tenant, prefix) DO UPDATE SET page = excluded.page")
  static let removePages = Statement(
    own: "storage.row-map.remove-pages", "DELETE FROM storage_row_pages WHERE tenant = {tenant}")
  static let head = Statement(
    own: "storage.row-map.head", "SELECT size, checkpoint FROM storage_row_heads WHERE tenant = {tenant}")
  static let putHead = Statement(
    own: "storage.row-map.put-head",
    "INSERT INTO storage_row_heads (tenant, size, checkpoint) VALUES ({tenant}, ?, ?) "
      + "ON CONFLICT (tenant) DO UPDATE SET size = excluded.size, checkpoint = excluded.checkpoint")
  /// The end of the log together with the map's head.
  static let view = Statement(
    own: "storage.row-map.view",
    "SELECT h.last AS last, h.last_ms AS last_ms, h.chain AS chain, h.code AS code, "
      + "r.size AS size, r.checkpoint AS checkpoint "
      + "FROM storage_event_heads AS h LEFT JOIN storage_row_heads AS r ON r.tenant = {tenant} "
      + "WHERE h.tenant = {tenant}")
}
