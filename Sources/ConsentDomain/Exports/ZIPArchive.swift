internal import PDF

/// A ZIP archive that is written file by file, without compression: what it is made for is compressed already.
///
/// It keeps names and places alone, so that an archive of any length needs little memory. Archives of more than 4 GiB
/// or 65,534 files have the entries of ZIP64.
package struct ZIPArchive: Sendable {
  private struct Entry: Sendable {
    let name: [UInt8]
    let checksum: UInt32
    let count: UInt32
    let offset: UInt64
  }

  private var entries: [Entry] = []
  private var written: UInt64 = 0

  package static let contentType = "application/zip"

  package init() {}

  /// The bytes of a file of less than 4 GiB, to be written next.
  package mutating func add(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
    let entry = Entry(
      name: Array(name.utf8), checksum: Checksum.crc32(bytes[...]), count: UInt32(clamping: bytes.count),
      offset: written)
    entries.append(entry)
    var part: [UInt8] = []
    part.reserveCapacity(30 + entry.name.count + bytes.count)
    part.put(UInt32(0x0403_4B50))
    part.put(Self.description(of: entry, isLong: false))
    part.put(UInt16(0))
    part += entry.name
    part += bytes
    written += UInt64(part.count)
    return part
  }

  /// The table of contents, which ends the archive.
  package func end() -> [UInt8] {
    var table: [UInt8] = []
    for entry in entries {
      let isLong = entry.offset >= UInt64(UInt32.max)
      table.put(UInt32(0x0201_4B50))
      table.put(UInt16(isLong ? 45 : 20))
      table.put(Self.description(of: entry, isLong: isLong))
      table.put(UInt16(isLong ? 12 : 0))
      // No comment, the first disk, no attributes.
      table += [UInt8](repeating: 0, count: 10)
      table.put(UInt32(clamping: entry.offset))
      table += entry.name
      guard isLong else { continue }
      table.put(UInt16(1))
      table.put(UInt16(8))
      table.put(entry.offset)
    }
    let (count, length) = (UInt64(entries.count), UInt64(table.count))
    if count >= UInt64(UInt16.max) || length >= UInt64(UInt32.max) || written >= UInt64(UInt32.max) {
      let place = written + length
      table.put(UInt32(0x0606_4B50))
      table.put(UInt64(44))
      table.put(UInt16(45))
      table.put(UInt16(45))
      table.put(UInt64(0))
      table.put(count)
      table.put(count)
      table.put(length)
      table.put(written)
      table.put(UInt32(0x0706_4B50))
      table.put(UInt32(0))
      table.put(place)
      table.put(UInt32(1))
    }
    table.put(UInt32(0x0605_4B50))
    table.put(UInt32(0))
    table.put(UInt16(clamping: count))
    table.put(UInt16(clamping: count))
    table.put(UInt32(clamping: length))
    table.put(UInt32(clamping: written))
    table.put(UInt16(0))
    return table
  }

  /// What a file's own head and the table have in common: names in UTF-8, no compression, the first day of 1980.
  private static func description(of entry: Entry, isLong: Bool) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.put(UInt16(isLong ? 45 : 20))
    bytes.put(UInt16(0x0800))
    bytes.put(UInt16(0))
    bytes.put(UInt16(0))
    bytes.put(UInt16(0x0021))
    bytes.put(entry.checksum)
    bytes.put(entry.count)
    bytes.put(entry.count)
    bytes.put(UInt16(entry.name.count))
    return bytes
  }
}

extension [UInt8] {
  /// Least significant byte first.
  fileprivate mutating func put(_ number: some FixedWidthInteger & UnsignedInteger) {
    for place in 0..<(number.bitWidth / 8) { append(UInt8(truncatingIfNeeded: number >> (place * 8))) }
  }

  fileprivate mutating func put(_ bytes: [UInt8]) { self += bytes }
}
