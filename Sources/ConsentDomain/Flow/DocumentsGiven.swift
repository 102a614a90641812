/// What a person decided about the documents of a walk, step by step: how the walk ends follows from it.
struct DocumentsGiven: Hashable {
  private(set) var steps: [String: Bool]

  /// - Parameter steps: the identifiers of reviews, and whether the person agreed in them.
  init(_ steps: [(String, Bool)]) {
    self.steps = Dictionary(steps) { _, last in last }
  }

  mutating func decide(_ stepID: String, agreed: Bool) { steps[stepID] = agreed }

  /// Whether the person agreed to a document.
  var hasAgreed: Bool { steps.values.contains(true) }

  /// Whether a walk that has reached its end was declined: a document whose review is not optional, or all of them.
  func isDeclined(in script: FlowScript) -> Bool {
    let isNeeded = script.steps.contains { !$0.isOptional && steps[$0.id] == false }
    return isNeeded || (!steps.isEmpty && !hasAgreed)
  }
}
