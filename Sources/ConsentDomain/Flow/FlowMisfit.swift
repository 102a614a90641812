internal import ConsentContract
package import Refusals

extension FlowValidation {
  /// Rules that a published flow may violate as soon as its documents have new versions.
  private static let documentRules: Set<String> = [
    "questions_not_asked", "no_questions", "sharing_not_asked", "sharing_not_offered", "unknown_section",
    "section_not_visual", "nothing_to_show", "restudy_across_decisions",
  ]

  /// Why a published flow cannot be walked with the documents of a script; nil when it can.
  ///
  /// Images are not checked: those of a published flow are stored, and without the list of stored images each would be
  /// reported as missing, in place of a problem that matters here.
  package static func misfit(of script: FlowScript) -> Refusal? {
    let found = problems(in: script.definition, documents: script.documents.mapValues(\.settings))
    guard let first = found.first(where: { $0.severity == .error && documentRules.contains($0.rule) }) else {
      return nil
    }
    let message =
      "flow '\(script.flowID)' version \(script.flowVersion) does not fit the newest versions of its documents: "
      + first.message
    return Refusal(.precondition, first.rule, field: "flow_id", message)
  }
}
