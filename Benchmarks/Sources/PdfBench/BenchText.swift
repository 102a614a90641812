/// The words of the document that all contenders compose.
enum BenchText {
  /// As many as fill two pages.
  static let sections = 7
  static let title = "Consent to take part in the Sleep and Recovery Study"

  struct Signer {
    let title, role, meaning, name, time: String
  }

  static let signers = [
    Signer(
      title: "Participant", role: "Participant", meaning: "I agree to take part in the study as described above.",
      name: "Zoë Müller", time: "2026-03-01 09:30:00 UTC+01:00"),
    Signer(
      title: "Investigator", role: "Investigator", meaning: "I have explained the study and answered all questions.",
      name: "Dr. Amélie Dubois", time: "2026-03-01 09:42:00 UTC+01:00"),
  ]

  private static let topics = [
    "Overview", "Data gathering", "Privacy", "Data use", "Time commitment", "Surveys", "Tasks", "Withdrawing",
    "Contact",
  ]

  static func heading(_ number: Int) -> String { "\(number). \(topics[(number - 1) % topics.count])" }

  private static let paragraphs = [
    """
    You are asked to take part in a research study. Before you decide, please read this document and ask about \
    anything that is not clear to you. Taking part is voluntary; whatever you decide, your care stays the same, and \
    you may change your mind at any time without giving a reason.
    """,
    """
    The study follows how people sleep in the weeks after an operation. You wear a small sensor at night, answer a few \
    questions each morning, and visit the study centre three times. The visits take about an hour each, and the \
    questions take less than five minutes a day.
    """,
    """
    What is recorded about you is kept under a code instead of your name. The list that connects both is locked away, \
    and only the study's physicians may see it. Results are published in a way that names nobody. If you withdraw, \
    nothing further is recorded, and you may ask for what was recorded to be deleted.
    """,
  ]

  private static let items = [
    "a sensor on your wrist, at night only", "questions each morning, on your own telephone",
    "three visits, with a blood sample of 5 ml each",
  ]

  private static let rows = [
    ["Visit", "When", "What happens"], ["1", "before the operation", "Questions, blood sample, sensor handed out"],
    ["2", "two weeks after it", "Questions, blood sample"],
    ["3", "three months after it", "Questions, sensor returned"],
  ]

  static func markup(_ number: Int) -> String {
    var markup = "<p>\(paragraphs[number % 3])</p><p>\(paragraphs[(number + 1) % 3])</p>"
    if number % 3 == 1 { markup += "<ul>\(items.map { "<li>\($0)</li>" }.joined())</ul>" }
    if number % 9 == 5 {
      let cells = rows.enumerated().map { index, row in
        "<tr>\(row.map { index == 0 ? "<th>\($0)</th>" : "<td>\($0)</td>" }.joined())</tr>"
      }
      markup += "<table><thead>\(cells[0])</thead><tbody>\(cells[1...].joined())</tbody></table>"
    }
    return markup
  }

  /// The same for peers, a block a line with its kind in front.
  static func lines(sections: Int) -> [String] {
    var lines = ["# \(title)"]
    for number in 1...sections {
      lines += ["## \(heading(number))", "p \(paragraphs[number % 3])", "p \(paragraphs[(number + 1) % 3])"]
      if number % 3 == 1 { lines += items.map { "- \($0)" } }
      if number % 9 == 5 { lines += rows.map { "| " + $0.joined(separator: "|") } }
    }
    return lines + signers.map { "s \($0.title)|\($0.role)|\($0.meaning)|\($0.name)|\($0.time)" }
  }
}
