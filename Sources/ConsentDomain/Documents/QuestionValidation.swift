internal import Base
internal import ConsentContract
internal import Wire

/// Checks one question.
enum QuestionValidation {
  static func check(_ question: QuestionDefinition, _ field: String, isScored: Bool, into list: inout ProblemList) {
    list.checkName(question.id, "\(field).id")
    list.checkUnique(question.choices.map(\.id), "\(field).choices")
    for choice in question.choices { list.checkName(choice.id, "\(field).choices[\(choice.id.shortened)].id") }
    switch question.kind {
    case .single, .multiple:
      if question.choices.count < 2 {
        list.error(
          "too_few_choices", "\(field).choices", "has \(question.choices.count) entries; at least 2 are needed")
      }
    case .text, .date, .birthDate, .boolean, .number, .scale, .timeOfDay:
      if !question.choices.isEmpty {
        list.error("choices_not_wanted", "\(field).choices", "must be empty for this kind")
      }
    case .unspecified, .unrecognized:
      list.error("unknown_question_kind", "\(field).kind", "is \(question.kind.number), which is no kind of question")
    }
    checkRules(question, field, into: &list)
    isScored ? checkScored(question, field, into: &list) : checkUnscored(question, field, into: &list)
  }

  private static func checkScored(_ question: QuestionDefinition, _ field: String, into list: inout ProblemList) {
    let right = question.choices.count(where: \.correct)
    switch question.kind {
    case .single where right != 1:
      list.error("no_right_answer", "\(field).choices", "has \(right) right answers; a single choice has one")
    case .multiple where right == 0:
      list.error("no_right_answer", "\(field).choices", "has no right answer")
    case .text where question.acceptedAnswers.allSatisfy { trimmed($0).isEmpty }:
      list.error("no_right_answer", "\(field).accepted_answers", "is empty; a scored text needs an accepted answer")
    case .boolean where question.rightAnswer == .unspecified:
      list.error("no_right_answer", "\(field).right_answer", "is not stated; a scored yes or no has a right answer")
    case .date, .birthDate, .number, .scale, .timeOfDay:
      list.error("not_scorable", "\(field).kind", "is a date, a time or a number, which cannot be scored")
    default:
      break
    }
    if question.optional {
      list.error("optional_question", "\(field).optional", "is set; scored questions are answered")
    }
  }

  private static func checkUnscored(_ question: QuestionDefinition, _ field: String, into list: inout ProblemList) {
    let isMarked = !question.acceptedAnswers.isEmpty || question.rightAnswer != .unspecified
    if isMarked || question.choices.contains(where: \.correct) {
      list.error("right_answer_not_wanted", field, "marks a right answer, but is not scored")
    }
  }
}

/// Which numbers answer a question.
extension QuestionValidation {
  static let mostPlaces = 101

  fileprivate static func checkRules(_ question: QuestionDefinition, _ field: String, into list: inout ProblemList) {
    if question.kind != .number, question.number != nil {
      list.error("rule_of_other_kind", "\(field).number", "is for questions of kind number only")
    }
    if question.kind != .scale, question.scale != nil {
      list.error("rule_of_other_kind", "\(field).scale", "is for questions of kind scale only")
    }
    switch question.kind {
    case .number: check(question.number ?? NumberRule(), "\(field).number", into: &list)
    case .scale: check(question.scale ?? ScaleRule(), "\(field).scale", into: &list)
    default: break
    }
  }

  private static func check(_ rule: NumberRule, _ field: String, into list: inout ProblemList) {
    if !(0...6).contains(rule.decimals) {
      list.error("out_of_bounds", "\(field).decimals", "is \(rule.decimals); it must be 0 to 6")
    }
    let bounds = [rule.minimum?.value, rule.maximum?.value].compactMap { $0 }
    if bounds.contains(where: { !$0.isFinite || abs($0) > 1e12 }) {
      list.error("out_of_bounds", field, "has a bound that is no number from -1e12 to 1e12")
    }
    if let least = rule.minimum?.value, let most = rule.maximum?.value, most < least {
      list.error("empty_range", field, "has its maximum, \(most), below its minimum, \(least)")
    }
  }

  private static func check(_ scale: ScaleRule, _ field: String, into list: inout ProblemList) {
    let isSmall = [scale.minimum, scale.maximum].allSatisfy { (-1_000_000...1_000_000).contains($0) }
    guard isSmall, scale.width > 0 else {
      list.error("out_of_bounds", field, "must have bounds from -1000000 to 1000000 and a step of at least 1")
      return
    }
    if !(2...mostPlaces).contains(scale.placeCount) || (scale.maximum - scale.minimum) % scale.width != 0 {
      let message = "from \(scale.minimum) to \(scale.maximum) by \(scale.width) has no 2 to \(mostPlaces) even places"
      list.error("bad_scale", field, message)
    }
  }
}
