internal import AccountContract

/// A screen of accounts as text for people, from top to bottom.
enum AccountViewText {
  private static let width = 60

  static func lines(of view: AccountView) -> [String] {
    var lines = ["╭" + String(repeating: "─", count: width)]
    func add(_ text: String) { if !text.isEmpty { lines.append("│ \(text)") } }
    let trailing = view.trailing.map(\.title).joined(separator: " · ")
    add(
      [view.leading.map { "< \($0.title)" }, view.barTitle, trailing].compactMap(\.self).filter { !$0.isEmpty }
        .joined(separator: "   "))
    add(view.applicationTitle)
    add(view.currentHeading)
    if let person = view.person { add(words(for: person)) }
    add(view.personDescription)
    add(view.title)
    add(view.description)
    for field in view.fields { add("\(field.label): ________") }
    add(view.peopleHeading)
    for person in view.people { add(words(for: person)) }
    add(view.emptyText)
    add(
      view.buttons.map { $0.link ? $0.title : $0.needsFields.isEmpty ? "[ \($0.title) ]" : "( \($0.title) )" }
        .joined(separator: "  "))
    for button in view.buttons where !button.link && !button.needsFields.isEmpty {
      let labels = view.fields.filter { button.needsFields.contains($0.id) }.map(\.label)
      add("( \(button.title) ): once there is something in \(labels.joined(separator: " and "))")
    }
    return lines + ["╰" + String(repeating: "─", count: width)]
  }

  private static func words(for person: ListedPerson) -> String {
    let profile = person.profile ?? PersonProfile()
    return "(\(profile.initials)) \(profile.title)" + (profile.subtitle.isEmpty ? "" : ", \(profile.subtitle)")
  }
}
