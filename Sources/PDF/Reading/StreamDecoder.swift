/// Undoes a stream's filters.
enum StreamDecoder {
  private static let limit = 64 << 20

  static func decode(_ stream: PDFStream, _ budget: ReadingBudget) throws(PDFReadError) -> [UInt8] {
    let filters: [PDFObject]
    switch stream.dictionary["Filter"] {
    case nil, .null?: return stream.bytes
    case .array(let all)?: filters = all
    case let one?: filters = [one]
    }
    let parameters = stream.dictionary["DecodeParms"].map { $0.array ?? [$0] } ?? []
    var bytes = stream.bytes
    guard filters.count <= 8 else { throw PDFReadError("a stream with more than 8 filters") }
    for (index, filter) in filters.enumerated() {
      guard filter.name == "FlateDecode" || filter.name == "Fl" else {
        throw PDFReadError("a stream that is packed by \(filter.name ?? "an unknown filter")")
      }
      guard let unpacked = Decompressor.zlib(bytes[...], limit: limit) else {
        throw PDFReadError("a stream that cannot be unpacked")
      }
      try budget.take(unpacked.count, .unpackedBytes)
      bytes = try unpredicted(unpacked, index < parameters.count ? parameters[index].dictionary : nil)
    }
    return bytes
  }

  /// Undoes PNG's prediction, which cross-reference streams use.
  private static func unpredicted(_ bytes: [UInt8], _ parameters: PDFDictionary?) throws(PDFReadError) -> [UInt8] {
    let predictor = parameters?["Predictor"]?.integer ?? 1
    guard predictor > 1 else { return bytes }
    guard predictor >= 10 else { throw PDFReadError("a stream with TIFF's prediction") }
    let colors = parameters?["Colors"]?.integer ?? 1
    let bits = parameters?["BitsPerComponent"]?.integer ?? 8
    let columns = parameters?["Columns"]?.integer ?? 1
    guard (1...32).contains(colors), [1, 2, 4, 8, 16].contains(bits), (1...1_000_000).contains(columns) else {
      throw PDFReadError("a stream whose prediction is out of range")
    }
    var rows = try PNGRows(
      bytes, rowBytes: (colors * bits * columns + 7) / 8, pixelBytes: max(1, colors * bits / 8))
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    while let row = try rows.next() { result += row }
    return result
  }
}

/// Rows that PNG writes as differences, in one of five ways each, one after the other.
struct PNGRows {
  private let bytes: [UInt8]
  private let rowBytes: Int
  private let pixelBytes: Int
  private var start = 0
  private var above: [UInt8]

  init(_ bytes: [UInt8], rowBytes: Int, pixelBytes: Int) throws(PDFReadError) {
    guard bytes.count % (rowBytes + 1) == 0 else { throw PDFReadError("rows of pixels that are not whole") }
    (self.bytes, self.rowBytes, self.pixelBytes) = (bytes, rowBytes, pixelBytes)
    above = [UInt8](repeating: 0, count: rowBytes)
  }

  mutating func next() throws(PDFReadError) -> [UInt8]? {
    guard start < bytes.count else { return nil }
    let kind = bytes[start]
    guard kind <= 4 else { throw PDFReadError("a row of pixels with an unknown prediction") }
    var row = Array(bytes[(start + 1)..<(start + 1 + rowBytes)])
    for index in row.indices {
      let left = index >= pixelBytes ? row[index - pixelBytes] : 0
      let corner = index >= pixelBytes ? above[index - pixelBytes] : 0
      switch kind {
      case 1: row[index] &+= left
      case 2: row[index] &+= above[index]
      case 3: row[index] &+= UInt8((Int(left) + Int(above[index])) / 2)
      case 4: row[index] &+= Self.nearest(left, above[index], corner)
      default: break
      }
    }
    start += rowBytes + 1
    above = row
    return row
  }

  private static func nearest(_ left: UInt8, _ above: UInt8, _ corner: UInt8) -> UInt8 {
    let guess = Int(left) + Int(above) - Int(corner)
    let distances = (abs(guess - Int(left)), abs(guess - Int(above)), abs(guess - Int(corner)))
    if distances.0 <= distances.1, distances.0 <= distances.2 { return left }
    return distances.1 <= distances.2 ? above : corner
  }
}
