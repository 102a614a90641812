internal import Ink
package import Refusals
internal import SignatureContract

/// Whether ink can be seen of a drawing.
package enum InkSight: Int, Sendable {
  case none = 0
  /// It takes long to draw, so that it is looked at once it is to be saved; until then it counts as seen.
  case unsure = 1
  case seen = 2

  /// - Parameter isPatient: whether to look at a drawing that takes long to draw, too.
  init(of ink: Ink, in field: SignatureField, isPatient: Bool = false) throws(InkError) {
    do throws(InkError) {
      // The field's picture has the field's pen, the record's has those of the strokes.
      let budget = isPatient ? Self.patient : Self.light
      var isSeen = try Self.renderer.shows(ink, budget)
      if isSeen, field.hasOwnPens(ink) {
        isSeen = try Self.renderer.shows(ink, penWidth: field.settings.penWidth, budget)
      }
      self = isSeen ? .seen : .none
    } catch {
      guard error.cause == .tooMuch, !isPatient else { throw error }
      self = .unsure
    }
  }

  /// The refusal of a drawing of which nothing can be seen.
  package static func nothing(in path: String) -> Refusal {
    Refusal(
      .precondition, "no_ink_seen", field: path,
      "\(path) names ink that cannot be seen; a signature has ink that somebody who looks at its picture sees")
  }

  private static let renderer = Renderer()
  /// Some milliseconds.
  private static let light = DrawingBudget(steps: 1 << 20)
  private static let patient = DrawingBudget(isOver: { Task.isCancelled })
}

extension SignatureField {
  fileprivate func hasOwnPens(_ ink: Ink) -> Bool {
    ink.strokes.contains { $0.pen != pen && !$0.pen.erases }
  }
}
