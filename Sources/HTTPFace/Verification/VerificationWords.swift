/// The texts of the page about a signed document, in one language, as HTML.
struct VerificationWords: Sendable {
  let language: String
  let title: String
  let sealed: String
  let participants: String
  let unsealed: String
  let erased: String
  let unknown: String
  let unavailable: String
  let sealedAt: String
  let sealedBy: String
  let level: String
  let identifier: String
  let basic: String
  let timed: String
  let longTerm: String
  let compareTitle: String
  let compareText: String
  let sumLabel: String
  let sumButton: String
  let same: String
  let earlier: String
  let different: String
  let incomparable: String
  let noSum: String
  let ownTitle: String
  let ownText: String
  let silence: String

  /// What a level of PAdES means; empty for an unknown level.
  func level(_ name: String) -> String {
    switch name {
    case "B-B": basic
    case "B-T": timed
    case "B-LT", "B-LTA": longTerm
    default: ""
    }
  }

  static let all = [english, german, french, spanish, chinese, japanese, arabic]

  var isRightToLeft: Bool { language == "ar" }

  /// The language that the visitor prefers among those that there are, or English.
  ///
  /// - Parameter wish: such as `de-AT,de;q=0.9,en;q=0.5`.
  static func best(for wish: String) -> VerificationWords {
    var best: (words: VerificationWords, weight: Double)?
    for part in wish.split(separator: ",").prefix(32) {
      let fields = part.split(separator: ";").map { $0.filter { $0 != " " }.lowercased() }
      let tag = fields.first?.split(separator: "-").first.map(String.init) ?? ""
      let weight = fields.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
      guard let words = all.first(where: { $0.language == tag }), weight > best?.weight ?? 0 else { continue }
      best = (words, weight)
    }
    return best?.words ?? english
  }

  private static let english = VerificationWords(
    language: "en",
    title: "A signed document",
    sealed: "A document with this identifier was signed and sealed here.",
    participants:
      "It is the copy that was sealed when the participant had signed. Others had still to sign, and may have since.",
    unsealed: "There is a document with this identifier, and it is not sealed yet. Look again later.",
    erased:
      "The personal data of this document, and the file itself, were erased since. That it existed stays on record.",
    unknown: "There is no document with this identifier. Check that the address is complete.",
    unavailable: "This cannot be said at the moment. Please try again in a minute.",
    sealedAt: "Sealed",
    sealedBy: "Seal of",
    level: "Level of the seal",
    identifier: "Identifier",
    basic: "the seal shows every later change; its time is the seal's own",
    timed: "the seal shows every later change, and a time-stamping authority attests when it was there",
    longTerm: "as with an attested time; the file itself has what proves the seal in years to come",
    compareTitle: "Is your file the one on record?",
    compareText:
      "Your file stays with you. Have your computer make its SHA-256, a number that any change of the file changes, and "
      + "enter that:",
    sumLabel: "SHA-256 of your file: 64 digits and letters",
    sumButton: "Compare",
    same: "This is the file on record, unchanged.",
    earlier: "This is the file on record as it was before more proof of its seal was added. What it says is the same.",
    different: "This is not the file on record: it is another one, or it was changed.",
    incomparable: "What it could be compared with was erased.",
    noSum: "That is no SHA-256: it has 64 digits and letters from a to f.",
    ownTitle: "Without asking anybody",
    ownText:
      "The seal is in the file. Any program that checks signatures in PDF files tells whether it is intact, and so does:",
    silence:
      "This page tells nothing about any person, nor whether the consent still holds: it may have been withdrawn. "
      + "Those who may know ask the study.")

  private static let german = VerificationWords(
    language: "de",
    title: "Ein unterschriebenes Dokument",
    sealed: "Ein Dokument mit dieser Kennung wurde hier unterschrieben und versiegelt.",
    participants:
      "Es ist die Fassung, die versiegelt wurde, als die teilnehmende Person unterschrieben hatte. Andere hatten noch "
      + "zu unterschreiben und haben es seither vielleicht getan.",
    unsealed:
      "Es gibt ein Dokument mit dieser Kennung, es ist aber noch nicht versiegelt. Bitte sehen Sie später nach.",
    erased:
      "Die personenbezogenen Daten dieses Dokuments und die Datei selbst wurden inzwischen gelöscht. "
      + "Dass es sie gab, bleibt verzeichnet.",
    unknown: "Es gibt kein Dokument mit dieser Kennung. Bitte prüfen Sie, ob die Adresse vollständig ist.",
    unavailable: "Das lässt sich gerade nicht sagen. Bitte versuchen Sie es in einer Minute noch einmal.",
    sealedAt: "Versiegelt",
    sealedBy: "Siegel von",
    level: "Stufe des Siegels",
    identifier: "Kennung",
    basic: "Das Siegel zeigt jede spätere Änderung; die Zeit ist die des Siegels selbst.",
    timed: "Das Siegel zeigt jede spätere Änderung, und ein Zeitstempeldienst bezeugt, wann es da war.",
    longTerm: "Wie mit bezeugter Zeit; die Datei enthält selbst, was das Siegel noch in Jahren beweist.",
    compareTitle: "Ist Ihre Datei die verzeichnete?",
    compareText:
      "Ihre Datei bleibt bei Ihnen. Lassen Sie Ihren Rechner ihren SHA-256 bilden, eine Zahl, die sich mit jeder Änderung "
      + "der Datei ändert, und geben Sie diese ein:",
    sumLabel: "SHA-256 Ihrer Datei: 64 Ziffern und Buchstaben",
    sumButton: "Vergleichen",
    same: "Das ist die verzeichnete Datei, unverändert.",
    earlier:
      "Das ist die verzeichnete Datei, wie sie war, bevor weitere Beweise für ihr Siegel hinzukamen. "
      + "Sie sagt dasselbe aus.",
    different: "Das ist nicht die verzeichnete Datei: Es ist eine andere, oder sie wurde verändert.",
    incomparable: "Womit sie verglichen werden könnte, wurde gelöscht.",
    noSum: "Das ist kein SHA-256: Er hat 64 Ziffern und Buchstaben von a bis f.",
    ownTitle: "Ohne jemanden zu fragen",
    ownText:
      "Das Siegel steckt in der Datei. Ob es unversehrt ist, sagt jedes Programm, das Unterschriften in PDF-Dateien prüft, "
      + "und auch:",
    silence:
      "Diese Seite sagt nichts über irgendeine Person, und auch nicht, ob die Einwilligung noch gilt: Sie kann widerrufen "
      + "worden sein. Wer das wissen darf, fragt die Studie.")
}
