package import ConsentContract
package import ServicePolicy

/// Nobody decides about another text than the one that was read.
///
/// A session keeps its texts to its end. What may still change a review is an author who goes on with a draft that test
/// participants walk, and a release of ours with other words of our own.
extension FlowScript {
  /// The texts with which a session on this script goes on.
  package var sessionTexts: SessionTexts {
    let locales = documents.values.sorted { $0.id < $1.id }.map { document in
      DocumentLocale(documentID: document.id, locale: document.text.locale)
    }
    return SessionTexts(textsVersion: texts.version, documents: locales)
  }

  /// Hash of the review of which the page at `position` shows something; nil for other pages.
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

  /// Refuses to go on in a review that is another one than the session has shown.
  package func requireShownReview(_ state: SessionState, field: String) throws(Refusal) {
    guard hasOtherReview(than: state) else { return }
    let message = "\(field) is about a text that has changed since it was shown; resume the session, and read it again"
    throw Refusal(.aborted, "text_changed", field: field, message)
  }
}
