/// Maps a source's points to its canvas: an affine mapping of InkML's `canvasTransform`.
struct InkMLTransform {
  private let columnX: SIMD2<Double>
  private let columnY: SIMD2<Double>
  private let shift: SIMD2<Double>

  static let identity = InkMLTransform(columnX: SIMD2(1, 0), columnY: SIMD2(0, 1), shift: .zero)
  /// The most bytes of a matrix of six numbers.
  static let mostBytes = 1024

  private init(columnX: SIMD2<Double>, columnY: SIMD2<Double>, shift: SIMD2<Double>) {
    (self.columnX, self.columnY, self.shift) = (columnX, columnY, shift)
  }

  /// - Parameter matrix: two rows of three numbers, for X and for Y, with the translation last.
  init(_ matrix: [UInt8]) throws(InkError) {
    let rows = matrix.split(separator: UInt8(ascii: ",")).map { row in
      row.split { [0x20, 0x0A, 0x0D, 0x09].contains($0) }.map { word in
        word.count > 32 ? nil : Double(String(decoding: word, as: UTF8.self))
      }
    }
    let numbers = rows.joined().compactMap { $0 }.filter(\.isFinite)
    guard rows.map(\.count) == [3, 3], numbers.count == 6 else {
      throw InkError(
        path: "canvasTransform.affine", finding: "is \(excerpt(String(decoding: matrix.prefix(80), as: UTF8.self)))",
        requirement: "it is two rows of three numbers with a comma between them, for X and Y")
    }
    columnX = SIMD2(numbers[0], numbers[3])
    columnY = SIMD2(numbers[1], numbers[4])
    shift = SIMD2(numbers[2], numbers[5])
  }

  func apply(_ place: SIMD2<Double>) -> SIMD2<Double> { columnX * place.x + columnY * place.y + shift }

  /// Throws for a mapping of another kind: without it, the ink would have another place or shape.
  static func check(_ attributes: [String: String]) throws(InkError) {
    let type = attributes["type"] ?? (attributes["mappingRef"] == nil ? "unknown" : "mappingRef")
    guard type != "identity", type != "affine" else { return }
    throw InkError(
      path: "canvasTransform.mapping", finding: "is of type \(excerpt(type))",
      requirement: "'identity' and 'affine' are read, with the matrix inside it")
  }
}
