/// A PDF file of one page that shows ink and nothing else.
struct PDF {
  private var bytes: [UInt8] = []
  private var offsets: [Int] = []

  /// Points of a page in a pixel: one, unless the options state a resolution.
  static func pointsPerPixel(_ options: RenderOptions) -> Double { 72 / (options.dotsPerInch ?? 72) }

  init(_ path: InkPath, _ options: RenderOptions, _ deflater: borrowing Deflater) {
    let scale = Self.pointsPerPixel(options)
    let width = Decimal.spelled(Double(path.width) * scale), height = Decimal.spelled(Double(path.height) * scale)
    var page: [UInt8] = []
    if let paper = options.paper { page += "\(Self.fill(paper)) 0 0 \(width) \(height) re f\n".utf8 }
    let unit = Decimal.spelled(scale)
    page += "\(Self.fill(options.ink)) \(unit) 0 0 -\(unit) 0 \(height) cm\n".utf8
    page += path.operators

    var stream: [UInt8] = []
    deflater.append(zlib: page, to: &stream)
    // Bytes above 127 in the second line tell programs that transfer the file that it is binary.
    bytes = Array("%PDF-1.7\n%".utf8) + [0xE2, 0xE3, 0xCF, 0xD3, 0x0A]
    object("<</Type/Catalog/Pages 2 0 R>>")
    object("<</Type/Pages/Kids[3 0 R]/Count 1>>")
    object("<</Type/Page/Parent 2 0 R/MediaBox[0 0 \(width) \(height)]/Resources<<>>/Contents 4 0 R>>")
    object("<</Length \(stream.count)/Filter/FlateDecode>>stream\n", stream, "\nendstream")
  }

  consuming func finish() -> [UInt8] {
    let table = bytes.count
    add("xref\n0 \(offsets.count + 1)\n0000000000 65535 f \n")
    for offset in offsets {
      let digits = String(offset)
      add(String(repeating: "0", count: 10 - digits.count) + digits + " 00000 n \n")
    }
    add("trailer<</Size \(offsets.count + 1)/Root 1 0 R>>\nstartxref\n\(table)\n%%EOF\n")
    return bytes
  }

  private mutating func object(_ head: String, _ stream: [UInt8] = [], _ tail: String = "") {
    offsets.append(bytes.count)
    add("\(offsets.count) 0 obj\(head)")
    bytes += stream
    add("\(tail)\nendobj\n")
  }

  private mutating func add(_ text: String) { bytes += text.utf8 }

  private static func fill(_ color: Color) -> String {
    let part = { (value: UInt8) in Decimal.spelled(Double(value) / 255) }
    return "\(part(color.red)) \(part(color.green)) \(part(color.blue)) rg"
  }
}
