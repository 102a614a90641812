internal import Base
package import ConsentContract
package import Refusals

/// Which clients can show which screens.
///
/// 1: plain screens, forms, instructions, completion. 2: documents, that is sections, questions, sharing, review, name
/// and signature. 3: recaps, and questions with yes or no, a number, a scale or a time of day. 4: pages of a file. 5:
/// reviews that ask about optional purposes. 6: screens of a table in which the client fills in a name. A client with
/// an older schema gets a plain form of a screen: its text, and that an update is needed.
package enum ScreenSchema {
  package static let newest: Int32 = 6
  /// Of screens in which a name is to be filled in.
  static let named: Int32 = 6

  static func version(of screen: ConsentScreen) -> Int32 {
    switch screen.kind {
    case .unspecified, .plain, .form, .instruction, .completion: 1
    case .recap: 3
    case .page: 4
    case .review where !screen.questions.isEmpty: 5
    case .questions where screen.questions.contains(where: { $0.kind.number > QuestionKind.birthDate.number }): 3
    default: 2
    }
  }

  /// The parts of a screen that a client may leave out without showing anything wrong.
  static func ignorable(in screen: ConsentScreen) -> [String] {
    var parts = ["transition", "layout", "entries"]
    if !screen.ways.isEmpty { parts.append("ways") }
    if screen.image != nil { parts.append("image") }
    if screen.learnMore != nil, screen.kind == .visual || screen.kind == .instruction { parts.append("learn_more") }
    return parts
  }

  /// Refuses a table that a client of that schema could not walk to its end.
  package static func check(_ table: [OfflineScreen], for schema: Int32) throws(Refusal) {
    guard schema > 0, let newer = table.lazy.compactMap(\.screen).first(where: { $0.schemaVersion > schema }) else {
      return
    }
    let message =
      "client_schema is \(schema), and screen '\(newer.id.shortened)' is of schema \(newer.schemaVersion): update the "
      + "client, or walk with a connection"
    throw Refusal(.precondition, "client_too_old", field: "client_schema", message)
  }

  /// The screen in a form that a client of that schema can show: a plain one, never a wrong one. A client that states
  /// no schema can show the newest.
  package static func screen(_ screen: ConsentScreen, for schema: Int32, texts: ScreenTexts) -> ConsentScreen {
    guard schema > 0, screen.schemaVersion > schema else { return screen }
    // The plain screen offers only to leave and, under the alert about quitting, to answer it. Any other alert can only
    // be dismissed.
    let ownAlert = screen.alert?.kind == .quit ? screen.alert : nil
    let goesBack = screen.alert != nil && ownAlert == nil
    let kept: Set<ActionKind> = ownAlert != nil ? [.dismiss, .confirm] : goesBack ? [.dismiss] : [.cancel, .back]
    var bar = screen.navigationBar
    if goesBack { bar?.leading = ScreenButton(action: .dismiss, title: texts[.back], enabled: true) }
    var plain = ConsentScreen(
      schemaVersion: 1, ignorable: ["transition", "layout"], id: screen.id, stepID: screen.stepID, kind: .plain,
      locale: screen.locale, rightToLeft: screen.rightToLeft, transition: screen.transition, modalID: screen.modalID,
      navigationBar: bar, title: screen.title, text: texts[.updateNeeded], alert: ownAlert,
      offered: screen.offered.filter(kept.contains), layout: screen.layout, requestedLocale: screen.requestedLocale)
    let own = goesBack ? ["text", "navigation_bar.leading"] : ["text"]
    let shown = Set(plain.namedTexts.filter { !$0.text.isEmpty }.map(\.field)).subtracting(own)
    for language in screen.languages {
      for field in language.fields where shown.contains(field) { plain.state(language.locale, of: field) }
    }
    plain.state(texts.found(.updateNeeded).locale, of: "text")
    if goesBack { plain.state(texts.found(.back).locale, of: "navigation_bar.leading") }
    return plain
  }
}
