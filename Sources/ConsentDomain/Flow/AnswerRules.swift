package import Base
package import ConsentContract
package import Refusals

/// Which answers are valid, and which are right.
package enum AnswerRules {
  package static let longestText = 2000
  package static let oldestAge = 130

  /// Checks the answers of one screen against its questions.
  package static func check(
    _ answers: [QuestionAnswer], for questions: [QuestionDefinition], today: CalendarDay
  ) throws(Refusal) {
    for (index, answer) in answers.enumerated() {
      let field = "action.answers[\(index)]"
      guard questions.contains(where: { $0.id == answer.questionID }) else {
        let known = questions.map(\.id).joined(separator: ", ")
        let message = "\(field).question_id is '\(answer.questionID.shortened)'; this screen asks: \(known)"
        throw Refusal(.invalid, "unknown_question", field: field, message)
      }
      if answers[..<index].contains(where: { $0.questionID == answer.questionID }) {
        throw Refusal(.invalid, "duplicate_answer", field: field, "\(field) answers '\(answer.questionID)' again")
      }
    }
    for question in questions {
      let answer = answers.first { $0.questionID == question.id } ?? QuestionAnswer(questionID: question.id)
      try check(answer, to: question, today: today)
    }
  }

  /// Checked answers as they are stored: each one only in the form that its question asks for.
  package static func kept(_ answers: [QuestionAnswer], for questions: [QuestionDefinition]) -> [QuestionAnswer] {
    answers.map { given in
      let kept = QuestionAnswer(questionID: given.questionID)
      guard let question = questions.first(where: { $0.id == given.questionID }), !given.isEmpty else { return kept }
      return kept.taking(given, as: question.kind)
    }
  }

  private static func check(
    _ answer: QuestionAnswer, to question: QuestionDefinition, today: CalendarDay
  ) throws(Refusal) {
    let field = "action.answers[\(question.id)]"
    func refuse(_ rule: String, _ message: String) -> Refusal {
      Refusal(.invalid, rule, field: field, "\(field) \(message)")
    }
    if answer.isEmpty {
      if question.optional { return }
      throw refuse("answer_missing", "is missing; the question must be answered")
    }
    switch question.kind {
    case .single, .multiple:
      let most = question.choices.count
      if answer.choiceIDs.count > most {
        throw refuse("too_many", "has \(answer.choiceIDs.count) choices; the question offers \(most)")
      }
      for choice in answer.choiceIDs where !question.choices.contains(where: { $0.id == choice }) {
        throw refuse("unknown_choice", "chooses '\(choice.shortened)', which is not offered")
      }
      if question.kind == .single, answer.choiceIDs.count != 1 {
        throw refuse("one_choice_only", "has \(answer.choiceIDs.count) choices; it must have 1")
      }
      if Set(answer.choiceIDs).count != answer.choiceIDs.count {
        throw refuse("duplicate_choice", "has a choice twice")
      }
    case .text:
      let length = answer.text.utf8.count
      if length == 0 { throw refuse("answer_missing", "has no text") }
      if length > longestText {
        throw refuse("too_long", "is \(length) bytes long; at most \(longestText) are allowed")
      }
    case .date:
      if answer.date?.checked == nil { throw refuse("no_such_day", "is no day of the calendar") }
    case .birthDate:
      _ = try birthDay(answer, field, today: today)
    case .boolean:
      if answer.boolean != .yes, answer.boolean != .no { throw refuse("answer_missing", "is neither yes nor no") }
    case .number: try check(answer.number, question.number ?? NumberRule(), "\(field).number")
    case .scale: try check(answer.number, question.scale ?? ScaleRule(), "\(field).number")
    case .timeOfDay:
      guard let time = answer.timeOfDay, (0...23).contains(time.hour), (0...59).contains(time.minute) else {
        throw refuse("no_such_time", "is no time of day")
      }
    case .unspecified, .unrecognized:
      throw refuse("unknown_question_kind", "answers a question of no kind")
    }
  }

  private static func check(_ number: NumberValue?, _ rule: NumberRule, _ field: String) throws(Refusal) {
    func refuse(_ name: String, _ message: String) -> Refusal {
      Refusal(.invalid, name, field: field, "\(field) \(message)")
    }
    guard let value = number?.value, value.isFinite else { throw refuse("answer_missing", "is no number") }
    if let least = rule.minimum?.value, value < least {
      throw refuse("number_out_of_bounds", "is \(value); it must be at least \(least)")
    }
    if let most = rule.maximum?.value, value > most {
      throw refuse("number_out_of_bounds", "is \(value); it must be at most \(most)")
    }
    // A draft's number of decimals was not validated, so it is clamped.
    let shift = (0..<min(max(rule.decimals, 0), 15)).reduce(1.0) { product, _ in product * 10 }
    let shifted = value * shift
    guard abs(shifted - shifted.rounded()) <= 1e-6 * max(1, abs(shifted)) else {
      throw refuse("too_many_decimals", "is \(value); at most \(rule.decimals) decimals are allowed")
    }
  }

  private static func check(_ number: NumberValue?, _ scale: ScaleRule, _ field: String) throws(Refusal) {
    guard let place = number.flatMap({ Int32(exactly: $0.value) }), scale.has(place) else {
      let message =
        "\(field) is no place on the scale from \(scale.minimum) to \(scale.maximum) in steps of \(scale.width)"
      throw Refusal(.invalid, "not_on_scale", field: field, message)
    }
  }

  /// The birth date in the answer to the birth date page.
  package static func birthDate(_ answers: [QuestionAnswer], today: CalendarDay) throws(Refusal) -> CalendarDate {
    guard answers.count == 1, let answer = answers.first, answer.questionID == "birth-date" else {
      let message = "action.answers must hold one answer, to 'birth-date'"
      throw Refusal(.invalid, "answer_missing", field: "action.answers", message)
    }
    return CalendarDate(try birthDay(answer, "action.answers[birth-date]", today: today))
  }

  /// A birth date that a living person can have.
  package static func birthDay(
    _ date: CalendarDate?, _ field: String, today: CalendarDay
  ) throws(Refusal) -> CalendarDay {
    guard let day = date?.checked else {
      throw Refusal(.invalid, "no_such_day", field: field, "\(field) is no day of the calendar")
    }
    guard day <= today, Age.years(from: day, on: today) <= oldestAge else {
      let message = "\(field) is not within the last \(oldestAge) years"
      throw Refusal(.invalid, "birth_date_out_of_bounds", field: field, message)
    }
    return day
  }

  private static func birthDay(
    _ answer: QuestionAnswer, _ field: String, today: CalendarDay
  ) throws(Refusal) -> CalendarDay {
    try birthDay(answer.date, "\(field).date", today: today)
  }

  /// True when the answer is right: exactly the right choices, or an accepted text.
  package static func isRight(_ answer: QuestionAnswer, to question: QuestionDefinition) -> Bool {
    switch question.kind {
    case .single, .multiple: Set(answer.choiceIDs) == Set(question.choices.filter(\.correct).map(\.id))
    case .text: question.acceptedAnswers.contains { plain($0) == plain(answer.text) }
    case .boolean: answer.boolean != .unspecified && answer.boolean == question.rightAnswer
    default: false
    }
  }

  private static func plain(_ text: String) -> String { trimmed(text).lowercased() }
}

extension QuestionAnswer {
  /// The answer with the value that another one has in the form of a kind of question.
  fileprivate func taking(_ given: QuestionAnswer, as kind: QuestionKind) -> QuestionAnswer {
    var taken = self
    switch kind {
    case .single, .multiple: taken.choiceIDs = given.choiceIDs
    case .text: taken.text = given.text
    case .date, .birthDate: taken.date = given.date
    case .boolean: taken.boolean = given.boolean
    case .number, .scale: taken.number = given.number
    case .timeOfDay: taken.timeOfDay = given.timeOfDay
    case .unspecified, .unrecognized: break
    }
    return taken
  }

  /// True when nothing is answered in any form.
  var isEmpty: Bool {
    choiceIDs.isEmpty && trimmed(text).isEmpty && date == nil && boolean == .unspecified && number == nil
      && timeOfDay == nil
  }
}

extension ScaleRule {
  /// The distance from one place on the scale to the next.
  var width: Int32 { step == 0 ? 1 : step }

  /// How many places the scale has; 0 for a scale that is not valid.
  var placeCount: Int {
    width > 0 && minimum <= maximum ? (Int(maximum) - Int(minimum)) / Int(width) + 1 : 0
  }

  func has(_ place: Int32) -> Bool {
    width > 0 && minimum <= place && place <= maximum && (Int(place) - Int(minimum)) % Int(width) == 0
  }
}

extension TimeOfDay {
  /// As it is printed: 07:05.
  var text: String { "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)" }
}
