/// The scans of a JPEG file, found by its markers alone.
enum JPEGScans {
  static func count(in file: [UInt8]) -> Int {
    var (scans, at) = (0, 2)
    while at + 1 < file.count {
      // Coded data, in which 0xFF is followed by a zero or a restart marker.
      guard file[at] == 0xFF else {
        at += 1
        continue
      }
      switch file[at + 1] {
      case 0xFF: at += 1
      case 0xD9: return scans
      case 0x00, 0x01, 0xD0...0xD8: at += 2
      case let marker:
        guard at + 3 < file.count else { return scans }
        if marker == 0xDA { scans += 1 }
        at += 2 + max(2, Int(file[at + 2]) << 8 | Int(file[at + 3]))
      }
    }
    return scans
  }
}
