/// Why a saved signature is read.
package enum ReadingPurpose: String, Sendable {
  /// Its picture is shown, to a caller who may see the field.
  case picture = "signature picture"
  /// The strokes or the name themselves.
  case strokes = "signature strokes"
  /// They go into evidence, for a caller who may read the record.
  case evidence = "signature evidence"
}
