/// Bounds of a PDF file that stands for a document's text. A signed copy shows its pages and carries it, and has to
/// stay within the size of a file that is sealed, also when that copy is attached to another one with evidence.
package enum FileBounds {
  package static let longest = 5 << 20
  package static let mostPages = 40
  /// The most bytes of all pages' images together.
  package static let longestImages = 8 << 20
  /// The most bytes of all pages' texts together.
  package static let longestText = 256 << 10
  /// The longer side of a page's image: about 135 dots an inch for A4.
  package static let side = 1600
}
