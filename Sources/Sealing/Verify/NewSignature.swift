internal import PDF

/// What a field that came after a signature has to be, so that it holds a further signature and nothing besides.
///
/// Readers draw annotations by their kind: what says that it is a field for a signature can be a line across the page
/// as well. So a field is a widget with what signers write, and anything else in it counts as a change.
enum NewSignature {
  private static let entries: Set = [
    "Type", "Subtype", "FT", "T", "TU", "TM", "V", "F", "Ff", "P", "Rect", "Contents", "M", "NM", "DA", "DR", "Q", "H",
    "Lock", "SV", "StructParent", "MK", "AP",
  ]

  /// Why a field is not one of those; nil if it is.
  static func fault(of field: SignatureField, in file: PDFFile) throws(PDFReadError) -> String? {
    let dictionary = field.dictionary
    guard field.signature != nil else { return "is not signed" }
    guard dictionary["Subtype"]?.name == "Widget" else { return "is no widget, so that a page may show it" }
    if let entry = dictionary.entries.first(where: { !entries.contains($0.name) }) {
      return "has something besides a signature: /\(ShownText.plain(entry.name))"
    }
    // Frames and colours, which other software says that there are none of.
    guard try file.resolve(dictionary["MK"]).dictionary?.entries.isEmpty != false else { return "has a frame" }
    // One that is seen counts as a change by its room on the page, whatever it shows.
    if field.isSeen { return nil }
    return isEmpty(dictionary["AP"], in: file) ? nil : "shows something in no room at all"
  }

  /// Whether an appearance is missing or draws nothing: readers differ in what they show of a drawing without room. One
  /// that cannot be unpacked may draw something.
  static func isEmpty(_ appearance: PDFObject?, in file: PDFFile) -> Bool {
    do throws(PDFReadError) {
      for entry in try file.resolve(appearance).dictionary?.entries ?? [] {
        guard entry.name == "N", case .stream(let stream) = try file.resolve(entry.value) else { return false }
        guard try file.contents(of: stream).allSatisfy(PDFLexer.isSpace) else { return false }
      }
      return true
    } catch {
      return false
    }
  }
}
