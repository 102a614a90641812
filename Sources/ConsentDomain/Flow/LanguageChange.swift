package import ConsentContract

extension FlowEngine {
  /// Continues a session with more filled in than before, in texts that were not shown yet.
  package func withTextsFilled(_ earlier: SessionState) -> SessionState {
    var state = earlier
    if !state.reviewHash.isEmpty, let position = state.position {
      state.reviewHash = script.shownReview(at: position) ?? ""
    }
    return state
  }

  /// Continues a session in this engine's language. A form of several pages and an unfinished review start again:
  /// nobody agrees to a text of which only a part was read in the language that goes on record. The same holds for a
  /// review that has become another text in the same language.
  package func inAnotherLanguage(_ earlier: SessionState) -> SessionState {
    var state = earlier
    state.texts = script.sessionTexts
    state.reviewHash = ""
    guard var position = state.position, !position.closed, state.outcome == .unspecified else { return state }
    let step = script.steps[Int(position.step)]
    // A file may have fewer pages in another language.
    let index = Int(position.page)
    switch index < step.pages.count ? step.pages[index] : .read {
    case .form:
      position.page = 0
    case .filePage, .read, .name, .sign, .recap:
      position.page = Int32(step.pages.firstIndex(where: \.showsDocument) ?? 0)
      state.documents.removeAll { $0.stepID == step.id }
      state.signatures.removeAll { $0.documentID == step.documentID }
      state.pendingNames.removeAll { $0.documentID == step.documentID }
    default:
      return state
    }
    position.alert = .unspecified
    position.scrolled = false
    position.transition = .none
    state.position = position
    if let shown = script.shownReview(at: position) { state.reviewHash = shown }
    return state
  }
}
