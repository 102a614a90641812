internal import ConsentContract
internal import Wire

/// Checks one question.
enum QuestionValidation {
  static func check(_ question: QuestionDefinition, _ field: String, isScored: Bool, into list: inout ProblemList) {
    list.checkName(question.id, "\(field).id")
    list.checkUnique(question.choices.map(\.id), "\(field).choices")
    list.checkCount(question.choices.count, atMost: 30, "\(field).choices")
    for choice in question.choices { list.checkName(choice.id, "\(field).choices[\(choice.id)].id") }
    switch question.kind {
    case .single, .multiple:
      if question.choices.count < 2 {
        list.error(
          "too_few_choices", "\(field).choices", "has \(question.choices.count) entries; at least 2 are needed")
      }
    case .text, .date, .birthDate:
      if !question.choices.isEmpty {
        list.error("choices_not_wanted", "\(field).choices", "must be empty for this kind")
      }
    case .unspecified, .unrecognized:
      list.error("unknown_question_kind", "\(field).kind", "is \(question.kind.number), which is no kind of question")
    }
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
    case .date, .birthDate:
      list.error("not_scorable", "\(field).kind", "is a date, which cannot be scored")
    default:
      break
    }
    if question.optional {
      list.error("optional_question", "\(field).optional", "is set; scored questions are answered")
    }
  }

  private static func checkUnscored(_ question: QuestionDefinition, _ field: String, into list: inout ProblemList) {
    if question.choices.contains(where: \.correct) || !question.acceptedAnswers.isEmpty {
      list.error("right_answer_not_wanted", field, "marks a right answer, but is not scored")
    }
  }
}
