/// Files in forms in which ours are never written.
enum RawSeeds {
  private static let objects = [
    "<</Type/Catalog/Pages 2 0 R/Lang(en)>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
    "<</Type/Page/Parent 2 0 R/MediaBox[0 0 90 90.0001]/Contents 4 0 R>>",
    "<</Length 12>>\nstream\n0 0 9 9 re f\nendstream",
  ]

  /// The first three objects in a stream, and cross-references as another one.
  static func packed() -> [UInt8] {
    let bodies = objects.prefix(3).map { $0 + " " }
    var (head, place) = ("", 0)
    for (index, body) in bodies.enumerated() {
      head += "\(index + 1) \(place) "
      place += body.utf8.count
    }
    var bytes = Array("%PDF-1.5\n".utf8)
    let content = bytes.count
    bytes += "4 0 obj\n\(objects[3])\nendobj\n".utf8
    let packing = bytes.count
    let inside = head + bodies.joined()
    bytes += "5 0 obj\n<</Type/ObjStm/N 3/First \(head.utf8.count)/Length \(inside.utf8.count)>>\nstream\n".utf8
    bytes += "\(inside)\nendstream\nendobj\n".utf8
    let start = bytes.count
    var entries: [UInt8] = [0, 0, 0, 0]
    for index in 0..<3 { entries += [2, 0, 5, UInt8(index)] }
    for offset in [content, packing] { entries += [1, UInt8(offset >> 8), UInt8(offset & 255), 0] }
    bytes += "6 0 obj\n<</Type/XRef/Size 7/W[1 2 1]/Index[0 6]/Root 1 0 R/Length 24>>\nstream\n".utf8 + entries
    return bytes + "\nendstream\nendobj\nstartxref\n\(start)\n%%EOF\n".utf8
  }

  /// A table that hides an object from old readers.
  static func hybrid() -> [UInt8] {
    var bytes = Array("%PDF-1.5\n".utf8)
    var offsets: [Int] = []
    for (index, body) in objects.enumerated() {
      offsets.append(bytes.count)
      bytes += "\(index + 1) 0 obj\n\(body)\nendobj\n".utf8
    }
    let stream = bytes.count
    bytes += "5 0 obj\n<</Type/XRef/Size 6/W[1 2 1]/Index[4 1]/Root 1 0 R/Length 4>>\nstream\n".utf8
    bytes += [1, UInt8(offsets[3] >> 8), UInt8(offsets[3] & 255), 0] + "\nendstream\nendobj\n".utf8
    let table = bytes.count
    bytes += "xref\n0 5\n0000000000 65535 f \n".utf8
    for offset in offsets.prefix(3) {
      bytes += "\(String(repeating: "0", count: 10 - "\(offset)".count))\(offset) 00000 n \n".utf8
    }
    bytes += "0000000000 00000 f \n".utf8
    return bytes + "trailer\n<</Size 6/Root 1 0 R/XRefStm \(stream)>>\nstartxref\n\(table)\n%%EOF\n".utf8
  }
}
