internal import Base
internal import ConsentContract
internal import ServicePolicy
internal import Storage
internal import Wire

/// PDF files that documents show, with their pages as they were drawn when the file was stored. The file itself and the
/// images are assets.
enum FileStore {
  private static let put = Statement(
    "file.put",
    "INSERT INTO drawn_files (tenant, hash, body) VALUES ({tenant}, ?, ?) ON CONFLICT (tenant, hash) DO NOTHING")
  private static let find = Statement("file.find", "SELECT body FROM drawn_files WHERE tenant = {tenant} AND hash = ?")

  static let statements = [put, find]

  /// Stores a file's pages, unless the file has some: those stay, since another version of the drawing programs may
  /// draw different ones.
  static func save(_ drawn: PagePool.Drawn, _ transaction: Transaction) throws {
    for image in drawn.images { try DocumentStore.saveAsset(image, transaction) }
    try transaction.run(put, drawn.file.asset, try drawn.file.encoded())
  }

  /// The pages of a file; none when there is no such file.
  ///
  /// - Parameter drawn: files that are about to be stored.
  static func pages(of hash: String, _ drawn: [PagePool.Drawn] = [], _ snapshot: Snapshot) throws -> [FilePage] {
    guard let row = try snapshot.first(find, hash) else {
      return drawn.first { $0.file.asset == hash }?.file.pages ?? []
    }
    let file: PagedFile = try row.message("body")
    return file.pages
  }

  /// The content with the pages of its files filled in. Each file is read once.
  static func filled(
    _ content: DocumentContent, with drawn: [PagePool.Drawn] = [], _ snapshot: Snapshot
  ) throws -> DocumentContent {
    var content = content
    var known: [String: [FilePage]] = [:]
    for index in content.texts.indices {
      guard let hash = content.texts[index].file?.asset else { continue }
      let pages = try known[hash] ?? pages(of: hash, drawn, snapshot)
      known[hash] = pages
      content.texts[index] = filled(content.texts[index], with: pages)
    }
    return content
  }

  /// The text with the pages of its file filled in.
  static func filled(_ text: DocumentText, _ snapshot: Snapshot) throws -> DocumentText {
    guard let hash = text.file?.asset else { return text }
    return filled(text, with: try pages(of: hash, [], snapshot))
  }

  /// - Parameter pages: the pages of its file, which replace whatever the author stated; none when there is no such
  ///   file.
  private static func filled(_ text: DocumentText, with pages: [FilePage]) -> DocumentText {
    guard var file = text.file else { return text }
    var text = text
    file.pages = pages
    for (index, words) in file.pageTexts.prefix(file.pages.count).enumerated() where !words.isEmpty {
      file.pages[index].text = words
    }
    text.file = file
    return text
  }
}
