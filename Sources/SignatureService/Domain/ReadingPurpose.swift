/// Why a saved signature is read.
package enum ReadingPurpose: String, Sendable {
  /// Its picture is shown, to a caller who may see the field.
  case picture = "signature picture"
  /// The strokes or the name themselves.
  case strokes = "signature strokes"
  /// The signature becomes part of evidence, for a caller who may read the record.
  case evidence = "signature evidence"
}
