/// The images of the eight predefined sections, drawn with one pen so that they match.
///
/// Lines have the given colour, or the text colour of their surroundings; fills have the same colour with a low
/// opacity. A client themes them with one colour.
package enum PredefinedImages {
  /// The names of the sections that have an image, in their order.
  package static let names = [
    "overview", "data_gathering", "privacy", "data_use", "time_commitment", "study_survey", "study_tasks",
    "withdrawing",
  ]

  /// The image as SVG; nil when there is no image of that name.
  package static func svg(_ name: String, ink: String = "currentColor") -> String? {
    guard let shapes = shapes[name] else { return nil }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 160" fill="none" stroke="\(ink)" stroke-width="4" \
      stroke-linecap="round" stroke-linejoin="round">\(shapes.replacingTint(with: ink))</svg>
      """
  }

  /// True for a colour that is allowed in an image: `#rgb`, `#rrggbb`, or `currentColor`.
  package static func isColor(_ text: String) -> Bool {
    if text == "currentColor" { return true }
    let digits = text.utf8.dropFirst()
    guard text.utf8.first == UInt8(ascii: "#"), digits.count == 3 || digits.count == 6 else { return false }
    return digits.allSatisfy { (48...57).contains($0) || (97...102).contains($0) || (65...70).contains($0) }
  }

  // `TINT` stands for a thin fill in the ink's colour.
  private static let shapes: [String: String] = [
    "overview": """
    <path d="M40 136V28a6 6 0 0 1 6-6h68a6 6 0 0 1 6 6v108"/>\
    <path d="M40 136V28a6 6 0 0 1 6-6h4l36 20v104l-36-10z" TINT/>\
    <circle cx="76" cy="92" r="3"/><path d="M24 136h16M96 136h40"/>\
    <path d="M100 60l8-4M102 82h8M100 104l8 4"/>
    """,
    "data_gathering": """
    <rect x="50" y="16" width="60" height="128" rx="10" TINT/><path d="M72 28h16"/>\
    <path d="M58 86h10l6-20 12 40 8-28 4 8h4"/><path d="M70 128h20"/>\
    <circle cx="26" cy="48" r="7"/><circle cx="22" cy="104" r="7"/><circle cx="136" cy="56" r="7"/>\
    <circle cx="134" cy="116" r="7"/><path d="M34 52l14 6M30 102l18-6M128 60l-16 6M126 113l-14-5"/>
    """,
    "privacy": """
    <path d="M80 14l52 18v42c0 34-22 58-52 72-30-14-52-38-52-72V32z" TINT/>\
    <rect x="56" y="72" width="48" height="38" rx="6"/><path d="M64 72V60a16 16 0 0 1 32 0v12"/>\
    <circle cx="80" cy="88" r="4"/><path d="M80 92v8"/>
    """,
    "data_use": """
    <path d="M22 24v112h116"/><path d="M36 136v-28h16v28M62 136V104h16v32M112 136v-18h16v18" TINT/>\
    <circle cx="98" cy="58" r="32" TINT/><path d="M121 81l21 22"/><path d="M80 66l12-14 10 8 14-16"/>
    """,
    "time_commitment": """
    <path d="M112 66V38a8 8 0 0 0-8-8H28a8 8 0 0 0-8 8v72a8 8 0 0 0 8 8h38c0-28 18-50 46-52z" stroke="none" TINT/>\
    <path d="M112 66V38a8 8 0 0 0-8-8H28a8 8 0 0 0-8 8v72a8 8 0 0 0 8 8h38M20 54h92M44 20v20M88 20v20"/>\
    <path d="M38 72h8M60 72h8M38 92h8M60 92h6"/>\
    <circle cx="108" cy="108" r="32" TINT/><path d="M108 88v20l14 10"/>
    """,
    "study_survey": """
    <rect x="32" y="26" width="96" height="118" rx="8" TINT/>\
    <path d="M62 26v-2a8 8 0 0 1 8-8h20a8 8 0 0 1 8 8v2a6 6 0 0 1-6 6H68a6 6 0 0 1-6-6z"/>\
    <rect x="48" y="54" width="16" height="16" rx="3"/><rect x="48" y="84" width="16" height="16" rx="3"/>\
    <rect x="48" y="114" width="16" height="16" rx="3"/>\
    <path d="M52 62l4 4 12-14M52 92l4 4 12-14"/><path d="M80 62h32M80 92h32M80 122h24"/>
    """,
    "study_tasks": """
    <circle cx="52" cy="34" r="14" TINT/><path d="M52 48v44M52 60l26 12M52 60L30 78M52 92l18 22v28M52 92l-16 22-14 24"/>\
    <rect x="86" y="50" width="54" height="70" rx="6" TINT/>\
    <path d="M98 68l4 4 8-10M98 90l4 4 8-10M118 70h10M118 92h10M98 108h30"/>
    """,
    "withdrawing": """
    <rect x="32" y="24" width="68" height="112" rx="8" stroke="none" TINT/>\
    <path d="M100 54V32a8 8 0 0 0-8-8H40a8 8 0 0 0-8 8v96a8 8 0 0 0 8 8h52a8 8 0 0 0 8-8v-22"/>\
    <circle cx="66" cy="62" r="10"/><path d="M66 72v26l10 20M66 98l-10 20M66 82l18 4M66 82l-14 10"/>\
    <path d="M100 80h42M126 62l18 18-18 18"/>
    """,
  ]
}

extension String {
  fileprivate func replacingTint(with ink: String) -> String {
    split(separator: "TINT", omittingEmptySubsequences: false).joined(
      separator: "fill=\"\(ink)\" fill-opacity=\"0.12\"")
  }
}
