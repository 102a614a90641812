internal import ConsentContract
internal import Synchronization

/// Notes the languages of the texts that were looked up for one screen: a lookup falls back to other languages, and the
/// screen states in which language each text was found.
final class LanguageNotes: Sendable {
  private let languages = Mutex<[String: String]>([:])

  func note(_ text: String, in locale: String) {
    guard !text.isEmpty else { return }
    languages.withLock { $0[text] = locale }
  }

  /// The language of a text that was looked up; nil for a text that belongs to a document.
  func language(of text: String) -> String? { languages.withLock { $0[text] } }
}

/// Which language each text of a screen is in.
struct ScreenLanguages {
  let notes: LanguageNotes
  /// The language of the document that the screen belongs to; nil when it belongs to none.
  let document: String?
  let requested: String

  /// States the language of the body, and of each text that is in another one.
  func state(on screen: inout ConsentScreen) {
    let body = [screen.html, screen.title, screen.text].first { !$0.isEmpty } ?? ""
    let main = body.isEmpty ? requested : language(of: body)
    screen.locale = main
    screen.rightToLeft = LocaleTag.isRightToLeft(main)
    screen.requestedLocale = requested
    screen.languages = []
    for (field, text) in screen.namedTexts where !text.isEmpty {
      screen.state(language(of: text), of: field)
    }
  }

  func language(of text: String) -> String { notes.language(of: text) ?? document ?? requested }
}

extension LocaleTag {
  package static func isRightToLeft(_ text: String) -> Bool { LocaleTag(text)?.isRightToLeft ?? false }
}

extension ConsentScreen {
  /// States that a text is in a language, unless that is the body's.
  mutating func state(_ language: String, of field: String) {
    guard language != locale else { return }
    guard let index = languages.firstIndex(where: { $0.locale == language }) else {
      let direction = LocaleTag.isRightToLeft(language)
      languages.append(TextLanguage(locale: language, rightToLeft: direction, fields: [field]))
      return
    }
    languages[index].fields.append(field)
  }

  /// Every text for people, by the name of its field.
  package var namedTexts: [(field: String, text: String)] {
    var texts = [("title", title), ("text", text), ("html", html)]
    if let bar = navigationBar {
      texts.append(("navigation_bar.title", bar.title))
      texts.append(("navigation_bar.page_label", bar.pageLabel))
      texts.append(("navigation_bar.leading", bar.leading?.title ?? ""))
      texts.append(("navigation_bar.trailing", bar.trailing?.title ?? ""))
    }
    texts += [("image.alt", image?.alt ?? ""), ("image.caption", image?.caption ?? "")]
    if let more = learnMore {
      texts += [("learn_more.title", more.title), ("learn_more.html", more.html), ("learn_more.text", more.text)]
    }
    for question in questions { texts += question.namedTexts }
    for option in sharingOptions { texts.append(("sharing_options[\(option.choice.code)]", option.text)) }
    texts += (nameForm?.namedTexts ?? []) + (signatureForm?.namedTexts ?? [])
    for button in toolbar?.buttons ?? [] { texts.append(("toolbar.buttons[\(button.action.word)]", button.title)) }
    if let alert {
      texts += [("alert.title", alert.title), ("alert.message", alert.message)]
      for button in alert.buttons { texts.append(("alert.buttons[\(button.action.word)]", button.title)) }
    }
    for (index, way) in ways.enumerated() {
      texts += [("ways[\(index)].title", way.title), ("ways[\(index)].text", way.text)]
    }
    return texts
  }
}

extension ScreenQuestion {
  fileprivate var namedTexts: [(String, String)] {
    [
      ("questions[\(id)].prompt", prompt), ("questions[\(id)].detail", detail), ("questions[\(id)].unit", unit),
      ("questions[\(id)].minimum_label", minimumLabel), ("questions[\(id)].maximum_label", maximumLabel),
      ("questions[\(id)].yes_title", yesTitle), ("questions[\(id)].no_title", noTitle),
    ]
      + choices.map { ("questions[\(id)].choices[\($0.id)]", $0.text) }
  }
}

extension NameForm {
  fileprivate var namedTexts: [(String, String)] {
    [
      ("name_form.signer_title", signerTitle), ("name_form.given_label", givenLabel),
      ("name_form.family_label", familyLabel), ("name_form.authority", authority),
      ("name_form.mononym_label", mononymLabel),
    ]
  }
}

extension SignatureForm {
  fileprivate var namedTexts: [(String, String)] {
    [
      ("signature_form.signer_title", signerTitle), ("signature_form.meaning", meaning),
      ("signature_form.authority", authority), ("signature_form.typed_rule", typedRule),
      ("signature_form.other_than_name", otherThanName),
    ]
  }
}
