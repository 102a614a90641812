/// Undoes a stream's filters.
///
/// Other readers accept filters and parameters under more names and in more forms, and so could decode other bytes.
/// This accepts one form, and refuses a stream with any other.
enum StreamDecoder {
  private static let limit = 64 << 20
  private static let mostFilters = 8
  /// Other names of the same entries, and entries of streams whose bytes are in another file.
  private static let refused = ["F", "DP", "FFilter", "FDecodeParms"]

  static func checkNames(in dictionary: PDFDictionary) throws(PDFReadError) {
    for name in refused where dictionary[name] != nil {
      throw PDFReadError("a stream with /\(name), which readers understand differently")
    }
  }

  static func decode(_ stream: PDFStream, _ budget: ReadingBudget) throws(PDFReadError) -> [UInt8] {
    try checkNames(in: stream.dictionary)
    var bytes = stream.bytes
    for prediction in try predictions(stream.dictionary) {
      guard let unpacked = Decompressor.zlib(bytes[...], limit: limit) else {
        throw PDFReadError("a stream that cannot be unpacked")
      }
      try budget.take(unpacked.count, .unpackedBytes)
      bytes = try prediction.undone(unpacked)
    }
    return bytes
  }

  /// The prediction of each filter; every filter must be FlateDecode. Filters and parameters must be in the stream's
  /// own dictionary: a name with a dictionary, or an array with an array of the same length.
  private static func predictions(_ dictionary: PDFDictionary) throws(PDFReadError) -> [Prediction] {
    let filters: [PDFObject]
    let parameters: [PDFObject]
    switch (dictionary["Filter"] ?? .null, dictionary["DecodeParms"] ?? .null) {
    case (.null, .null): return []
    case (.array(let all), .null): (filters, parameters) = (all, [PDFObject](repeating: .null, count: all.count))
    case (.array(let all), .array(let each)) where all.count == each.count: (filters, parameters) = (all, each)
    case (.array, _): throw PDFReadError("a stream whose filters and parameters are not as many")
    case (let one, let own): (filters, parameters) = ([one], [own])
    }
    guard filters.count <= mostFilters else { throw PDFReadError("a stream with more than \(mostFilters) filters") }
    var predictions: [Prediction] = []
    for (filter, own) in zip(filters, parameters) {
      guard filter.name == "FlateDecode" else {
        throw PDFReadError("a stream that is packed by \(filter.name ?? "an unknown filter")")
      }
      predictions.append(try Prediction(own))
    }
    return predictions
  }
}

/// PNG's prediction, which cross-reference streams and object streams use.
private struct Prediction {
  private var predictor = 1
  private var colors = 1
  private var bits = 8
  private var columns = 1

  /// - Parameter parameters: those of one filter; null if it has none.
  init(_ parameters: PDFObject) throws(PDFReadError) {
    switch parameters {
    case .null: break
    case .dictionary(let dictionary):
      for (name, value) in dictionary.entries {
        switch (name, value.integer) {
        case ("Predictor", let number?): predictor = number
        case ("Colors", let number?): colors = number
        case ("BitsPerComponent", let number?): bits = number
        case ("Columns", let number?): columns = number
        default:
          throw PDFReadError("a stream whose filter has the parameter /\(name), or one that is no plain number")
        }
      }
    default: throw PDFReadError("a stream whose filter has parameters elsewhere, or of another filter's form")
    }
    guard predictor == 1 || (10...15).contains(predictor) else {
      throw PDFReadError("a stream with the predictor \(predictor)")
    }
    guard (1...32).contains(colors), [1, 2, 4, 8, 16].contains(bits), (1...1_000_000).contains(columns) else {
      throw PDFReadError("a stream whose prediction is out of range")
    }
  }

  func undone(_ bytes: [UInt8]) throws(PDFReadError) -> [UInt8] {
    guard predictor > 1 else { return bytes }
    let bitsOfPixel = colors * bits
    var rows = try PNGRows(bytes, rowBytes: (bitsOfPixel * columns + 7) / 8, pixelBytes: (bitsOfPixel + 7) / 8)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    while let row = try rows.next() { result += row }
    return result
  }
}

/// Undoes PNG's filters: each row is stored as differences, in one of five ways.
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
