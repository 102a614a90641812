internal import Base
package import ConsentContract
package import Refusals

/// Checks what is stated about the optional purposes of a document: each has an answer, and no other purpose has one.
package enum PurposeRules {
  /// Refuses an answer about a purpose that is not asked for by a question of its own.
  package static func checkNames(
    _ given: [PurposeDecision], _ settings: DocumentSettings, _ field: String
  ) throws(Refusal) {
    let known = settings.optionalPurposes
    for (index, decision) in given.enumerated() where !known.contains(decision.purpose) {
      let place = "\(field)[\(index)].purpose"
      let asked = known.isEmpty ? "none" : known.joined(separator: ", ")
      let message = "\(place) is '\(decision.purpose.shortened)'; the document's optional purposes: \(asked)"
      throw Refusal(.invalid, "unknown_purpose", field: place, message)
    }
  }

  /// The optional purposes to which the answer is no; throws if one has no answer, or two.
  static func declined(
    _ given: [PurposeDecision], _ settings: DocumentSettings, _ field: String
  ) throws(Refusal)
    -> [String]
  {
    try checkNames(given, settings, field)
    var declined: [String] = []
    for code in settings.optionalPurposes {
      let answers = given.filter { $0.purpose == code }
      let place = "\(field)[\(code)]"
      guard let answer = answers.first else {
        let message = "\(place) is missing; the document asks for a yes or a no to this purpose"
        throw Refusal(.invalid, "answer_missing", field: place, message)
      }
      guard answers.count == 1 else {
        throw Refusal(.invalid, "stated_twice", field: place, "\(place) is stated \(answers.count) times")
      }
      if !answer.allowed { declined.append(code) }
    }
    return declined
  }
}
