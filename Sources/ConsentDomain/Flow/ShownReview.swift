package import ConsentContract
package import Refusals

/// Makes sure that nobody decides about another text than the one that was shown.
///
/// A session keeps its texts until it ends. A review may still change when an author edits a draft that test
/// participants walk, or when a release of this service changes words of its own.
extension FlowScript {
  /// The hash of the review that the page at `position` shows, wholly or in part; nil for other pages.
  func shownReview(at position: FlowPosition) -> String? {
    guard page(at: position).showsDocument else { return nil }
    return documents[steps[Int(position.step)].documentID]?.review.hash
  }

  /// Whether the review that is due now differs from the one that the session has shown.
  package func hasOtherReview(than state: SessionState) -> Bool {
    guard !state.reviewHash.isEmpty else { return false }
    let step = steps[Int(state.position?.step ?? 0)]
    return documents[step.documentID]?.review.hash != state.reviewHash
  }

  /// Throws if the review that is due now is not the one that the session has shown.
  package func requireShownReview(_ state: SessionState, field: String) throws(Refusal) {
    guard hasOtherReview(than: state) else { return }
    let message = "\(field) is about a text that has changed since it was shown; resume the session, and read it again"
    throw Refusal(.aborted, "text_changed", field: field, message)
  }
}
