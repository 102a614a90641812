/// The formats that strokes are read from.
public enum InkFormat: String, CaseIterable, Sendable {
  /// JSON of signature_pad 2 to 5, the arrays that perfect-freehand takes, and jSignature's own.
  case json
  /// jSignature's compressed text, base30.
  case jSignature
  case inkML
  /// Text of the Signature Verification Competition of 2004.
  case svc
  /// The output of `StrokeBlob`.
  case blob
  /// ISO/IEC 19794-7:2007, full format.
  case iso19794
  /// Wacom's Universal Ink Model 3.1.
  case universalInk

  /// The format of `bytes`, recognised from their first few; nil when it is none of these.
  public init?(detecting bytes: [UInt8]) {
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    guard let first = bytes[start...].first(where: { ![0x20, 0x0A, 0x0D, 0x09].contains($0) }) else { return nil }
    switch first {
    case UInt8(ascii: "["): self = .json
    case UInt8(ascii: "<"): self = .inkML
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self = .svc
    case UInt8(ascii: "I")
    where bytes.starts(with: BlobFormat.magic) || bytes.starts(with: BlobFormat.inscribedMagic):
      self = .blob
    case UInt8(ascii: "i") where bytes.starts(with: JSignatureText.magic): self = .jSignature
    case UInt8(ascii: "S") where bytes.starts(with: ISO19794Reader.magic): self = .iso19794
    case UInt8(ascii: "R") where bytes.starts(with: UniversalInk.magic): self = .universalInk
    default: return nil
    }
  }
}

extension Ink {
  /// Reads a file of strokes in any known format.
  ///
  /// - Parameters:
  ///   - format: the format of the file; recognised from its beginning when nil.
  ///   - canvas: the surface that was drawn on, for formats that do not state it.
  public static func read(
    _ bytes: [UInt8], as format: InkFormat? = nil, canvas: Canvas? = nil
  ) throws(InkError) -> Ink {
    guard bytes.count <= InkLimits.fileBytes else {
      throw InkError(
        path: "file", finding: "has \(bytes.count) bytes", requirement: "at most \(InkLimits.fileBytes) bytes are read")
    }
    guard let format = format ?? InkFormat(detecting: bytes) else {
      throw InkError(
        path: "file", finding: bytes.isEmpty ? "is empty" : "is of an unknown format",
        requirement:
          "known are signature_pad's JSON, perfect-freehand's arrays, jSignature's native form and base30, InkML, SVC "
          + "text, ISO/IEC 19794-7, Wacom's UIM and stored strokes")
    }
    switch format {
    case .json:
      // Some programs begin a text with a byte order mark.
      let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
      return try Ink(validating: JSONStrokes.read(text), canvas: canvas)
    case .inkML:
      let reader = try InkMLReader.read(bytes)
      return try Ink(validating: reader.strokes, canvas: canvas ?? reader.canvas, device: reader.device)
    case .jSignature: return try Ink(validating: JSignatureText.read(bytes), canvas: canvas)
    case .svc: return try Ink(validating: SVCText.read(bytes), canvas: canvas)
    case .blob: return try StrokeBlob.read(bytes)
    case .iso19794: return try Ink(validating: ISO19794Reader.read(bytes), canvas: canvas)
    case .universalInk: return try Ink(validating: UniversalInk.read(bytes), canvas: canvas)
    }
  }
}
