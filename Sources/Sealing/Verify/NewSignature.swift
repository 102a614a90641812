internal import PDF

/// Checks that a field that was added after a signature contains a further signature and nothing else.
///
/// Readers draw annotations by their subtype: an object that claims to be a signature field can also be a line across
/// the page. So the field has to be a widget with only the entries that signing programs write, and any other entry
/// counts as a change.
enum NewSignature {
  private static let entries: Set = [
    "Type", "Subtype", "FT", "T", "TU", "TM", "V", "F", "Ff", "P", "Rect", "Contents", "M", "NM", "DA", "DR", "Q", "H",
    "Lock", "SV", "StructParent", "MK", "AP",
  ]

  /// Why a field is not such a field; nil if it is.
  ///
  /// - Parameter isSignedLater: whether a later revision signs the field. Until then it may be empty, since some
  ///   programs add a field in one revision and sign it in the next one. An empty field must have no area, since it is
  ///   not known what it would show before it was signed.
  static func fault(
    of field: SignatureField, in file: PDFFile, isSignedLater: Bool = false
  ) throws(PDFReadError) -> String? {
    let dictionary = field.dictionary
    let isStillEmpty = isSignedLater && dictionary["V"] == nil && !field.isSeen
    guard field.signature != nil || isStillEmpty else { return "is not signed" }
    guard dictionary["Subtype"]?.name == "Widget" else { return "is no widget, so that a page may show it" }
    if let entry = dictionary.entries.first(where: { !entries.contains($0.name) }) {
      return "has something besides a signature: /\(ShownText.plain(entry.name))"
    }
    // Frames and colours. Other programs write an empty entry.
    guard try file.resolve(dictionary["MK"]).dictionary?.entries.isEmpty != false else { return "has a frame" }
    // A visible field counts as a change because of its area, whatever it shows.
    if field.isSeen { return nil }
    return isEmpty(dictionary["AP"], in: file) ? nil : "shows something in no room at all"
  }

  /// Whether an appearance is missing or draws nothing, since readers differ in whether they show a drawing without an
  /// area. An appearance that cannot be decompressed may draw something.
  static func isEmpty(_ appearance: PDFObject?, in file: PDFFile) -> Bool {
    do throws(PDFReadError) {
      let found = try file.resolve(appearance)
      if found == .null { return true }
      guard case .dictionary(let kinds) = found else { return false }
      for entry in kinds.entries {
        guard entry.name == "N", case .stream(let stream) = try file.resolve(entry.value) else { return false }
        guard try file.contents(of: stream).allSatisfy(PDFLexer.isSpace) else { return false }
      }
      return true
    } catch {
      return false
    }
  }
}
