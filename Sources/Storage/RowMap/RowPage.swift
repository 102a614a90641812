internal import Base

/// A page of the map of rows, for rows whose names share a prefix. The map has for each row the number of the newest
/// event that commits to it.
///
/// A leaf lists up to 32 rows. For more rows, a branch has the hashes of up to sixteen pages, by the next digit of the
/// names. Rows are never removed from the map, so the pages depend on its contents alone and not on the order in which
/// they were added: whoever has the events can compute the root.
enum RowPage: Hashable, Sendable {
  case leaf([Entry])
  case branch([Digest?])

  struct Entry: Hashable, Sendable {
    let name: RowName
    let event: Int64
  }

  static let mostEntries = 32
  private static let width = 16
  private static let entryBytes = RowName.byteCount + 8
  /// The bytes in a branch that stand for a missing page.
  private static let none = [UInt8](repeating: 0, count: Digest.byteCount)

  /// The bytes that are stored and hashed: the kind of page, then the rows in the order of their names, or all sixteen
  /// hashes.
  var bytes: [UInt8] {
    switch self {
    case .leaf(let entries):
      var bytes: [UInt8] = [0]
      for entry in entries {
        entry.name.append(to: &bytes)
        ValueCoding.append(UInt64(bitPattern: entry.event), width: 8, to: &bytes)
      }
      return bytes
    case .branch(let children): return children.reduce(into: [1]) { $0 += $1?.bytes ?? Self.none }
    }
  }

  var digest: Digest { Digest(of: bytes) }

  /// Decodes a page; nil for malformed bytes.
  init?(bytes: [UInt8]) {
    let content = bytes.dropFirst()
    switch bytes.first {
    case 0:
      guard content.count % Self.entryBytes == 0 else { return nil }
      var (entries, rest) = ([Entry](), content)
      while !rest.isEmpty {
        guard let name = RowName(bytes: rest.prefix(RowName.byteCount)) else { return nil }
        rest = rest.dropFirst(RowName.byteCount)
        guard let event = ValueCoding.takeWord(8, from: &rest) else { return nil }
        entries.append(Entry(name: name, event: Int64(bitPattern: event)))
      }
      self = .leaf(entries)
    case 1:
      guard content.count == Self.width * Digest.byteCount else { return nil }
      let children = stride(from: 1, to: bytes.count, by: Digest.byteCount).map { start in
        let child = bytes[start..<start + Digest.byteCount]
        return child.elementsEqual(Self.none) ? nil : Digest(bytes: Array(child))
      }
      self = .branch(children)
    default: return nil
    }
  }

  /// Makes the pages for rows that are in the order of their names and whose names share a prefix.
  ///
  /// - Parameter put: called with each page; the one at the prefix comes last.
  /// - Returns: the hash of that page.
  static func build(
    _ entries: ArraySlice<Entry>, at prefix: RowPrefix, put: (RowPrefix, RowPage) -> Void
  ) -> Digest {
    var page = RowPage.leaf(Array(entries))
    if entries.count > mostEntries {
      var children = [Digest?](repeating: nil, count: width)
      for (digit, group) in entries.groups(at: prefix.depth, \.name) {
        children[digit] = build(group, at: prefix.child(digit), put: put)
      }
      page = .branch(children)
    }
    put(prefix, page)
    return page.digest
  }
}
