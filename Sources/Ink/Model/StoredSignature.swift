/// A signature as it is stored: strokes, or the shapes of an uploaded image.
public enum StoredSignature: Hashable, Sendable {
  case strokes(Ink)
  case shapes(Shapes)

  public static func read(_ bytes: [UInt8]) throws(InkError) -> StoredSignature {
    bytes.starts(with: Shapes.magic) ? .shapes(try Shapes.read(bytes)) : .strokes(try StrokeBlob.read(bytes))
  }

  /// The stored form.
  public var bytes: [UInt8] {
    switch self {
    case .strokes(let ink): StrokeBlob(ink).bytes
    case .shapes(let shapes): shapes.bytes
    }
  }

  public var inscription: Inscription {
    switch self {
    case .strokes(let ink): ink.inscription
    case .shapes(let shapes): shapes.inscription
    }
  }

  /// The same signature with other words below it.
  public func inscribed(_ inscription: Inscription) throws(InkError) -> StoredSignature {
    switch self {
    case .strokes(let ink):
      .strokes(
        try Ink(validating: ink.strokes, canvas: ink.canvas, device: ink.device, inscription: inscription))
    case .shapes(let shapes): .shapes(try shapes.inscribed(inscription))
    }
  }

  /// Whether strokes are stored without words, so that the picture depends on them and the options alone.
  public static func isStrokesAlone(_ bytes: [UInt8]) -> Bool { bytes.starts(with: BlobFormat.magic) }
}
