import Ink
import SignatureService
import Testing

/// Every state and every action, in both forms, compared with the table of docs/signature.md.
@Suite struct CellTableTests {

  private static let table: [Cell.State: [CellAction: Cell.State]] = [
    .inactive: [.tap: .active, .resize: .inactive],
    .active: [
      .append: .signed, .saveTyped: .saved, .saveUploaded: .saved, .reuse: .saved, .cancel: .inactive, .resize: .active,
    ],
    .signed: [
      .append: .signed, .undo: .active, .clear: .active, .save: .saved, .cancel: .inactive, .resize: .signed,
    ],
    .saved: [.reEnter: .inactive, .complete: .saved],
  ]

  @Test("each state accepts the actions of the table and refuses all others", arguments: Cell.Form.allCases)
  func everyStateAndAction(form: Cell.Form) throws {
    var rules = Cell.Rules()
    (rules.form, rules.allowsUpload, rules.allowsReuse) = (form, true, true)
    for state in Cell.State.allCases {
      for action in CellAction.allCases {
        var cell = try Cell.example(in: state, rules)
        let before = cell
        guard let expected = Self.table[state]?[action] else {
          let refusal = #expect(throws: CellRefusal.self) { try cell.perform(action) }
          #expect(refusal?.state == state && refusal?.action == action)
          #expect(refusal?.offered == before.offered && refusal?.offered.contains(action) == false)
          #expect(cell == before, "a refused action changes nothing")
          continue
        }
        try cell.perform(action)
        #expect(cell.state == expected, "\(action) in \(state), \(form)")
      }
    }
  }

  @Test("offered actions are accepted, in every state, form and setting")
  func offersAreTrue() throws {
    for rules in Cell.Rules.all {
      for state in Cell.State.allCases {
        for action in CellAction.allCases {
          var cell = try Cell.example(in: state, rules)
          let isOffered = cell.offered.contains(action)
          #expect(((try? cell.perform(action)) != nil) == isOffered, "\(action) in \(state)")
        }
      }
    }
  }

  @Test("a field that needs no signature may be closed empty, one that needs one may not")
  func closingEmpty() throws {
    var rules = Cell.Rules()
    rules.isRequired = false
    var optional = Cell(rules: rules)
    #expect(try optional.complete())
    var required = Cell(rules: Cell.Rules())
    #expect(throws: CellRefusal.self) { try required.complete() }
  }

  @Test("re-entering leads to active where the field says so, and empties it")
  func reentryToActive() throws {
    var rules = Cell.Rules()
    rules.reentersActive = true
    var cell = try Cell.example(in: .saved, rules)
    try cell.reEnter()
    #expect(cell.state == .active)
    #expect(cell.drawing == DrawingProgress())
  }

  @Test("cancelling after re-entering leaves the field empty, and the saved signature no longer counts")
  func cancelAfterReentry() throws {
    var rules = Cell.Rules()
    rules.reentersActive = true
    var cell = try Cell.example(in: .saved, rules)
    try cell.reEnter()
    try cell.cancel()
    #expect(cell.state == .inactive)
    #expect(cell.revisions == 1)
    #expect(throws: CellRefusal.self) { try cell.reEnter() }
  }

  @Test("a closed field accepts nothing, and closing it again is no error")
  func closed() throws {
    var cell = try Cell.example(in: .saved, Cell.Rules())
    #expect(try cell.complete())
    #expect(try !cell.complete())
    #expect(cell.offered.isEmpty)
    for action in CellAction.allCases where action != .complete {
      let refusal = #expect(throws: CellRefusal.self) { try cell.perform(action) }
      #expect(refusal?.description.contains("the field is closed for good") == true)
    }
  }

  @Test("strokes that are all outside the canvas leave an active field active")
  func nothingInside() throws {
    var cell = try Cell.example(in: .active, Cell.Rules())
    var progress = DrawingProgress()
    progress.begunStrokes = 1
    progress.droppedPoints = 3
    try cell.append(progress)
    #expect(cell.state == .active)
    #expect(cell.drawing.droppedPoints == 3)
  }

  @Test("strokes of which no ink can be seen are no signature, but can be taken back")
  func unseen() throws {
    var cell = try Cell.example(in: .active, Cell.Rules())
    var progress = DrawingProgress()
    (progress.begunStrokes, progress.points) = (2, 9)
    try cell.append(progress)
    #expect(cell.state == .active)
    #expect(cell.offered == [.append, .undo, .clear, .saveTyped, .cancel, .resize])
    #expect(throws: CellRefusal.self) { try cell.save() }
    progress.sight = .unsure
    try cell.undo(to: progress)
    #expect(cell.state == .signed, "what takes long to draw counts until it is looked at")
    progress.sight = .none
    try cell.resize(to: progress)
    #expect(cell.state == .active, "on a smaller canvas less may be seen")
    try cell.append(progress)
    try cell.clear()
    #expect(cell.state == .active && cell.offered == [.append, .saveTyped, .cancel, .resize])
  }

  @Test("a refusal says what was tried, in which state, and what is offered")
  func refusalText() throws {
    var cell = Cell(rules: Cell.Rules())
    try cell.tap()
    let refusal = #expect(throws: CellRefusal.self) { try cell.save() }
    #expect(
      refusal?.description
        == "'save' is not offered in state 'active'; offered: append_strokes, save_typed, cancel, resize")
    // What only services do is in no list, as in the view.
    var saved = try Cell.example(in: .saved, Cell.Rules())
    let other = #expect(throws: CellRefusal.self) { try saved.clear() }
    #expect(other?.description == "'clear' is not offered in state 'saved'; offered: re_enter")
  }
}

extension Cell {
  /// A cell brought into a state by the actions that lead there.
  static func example(in state: State, _ rules: Rules) throws -> Cell {
    var cell = Cell(rules: rules)
    if state == .inactive { return cell }
    try cell.tap()
    if state == .active { return cell }
    try cell.perform(.append)
    if state == .signed { return cell }
    try cell.save()
    return cell
  }

  mutating func perform(_ action: CellAction) throws {
    switch action {
    case .tap: try tap()
    case .append:
      var progress = drawing
      progress.begunStrokes += 1
      progress.points += 2
      progress.sight = .seen
      try append(progress)
    case .undo: try undo(to: DrawingProgress())
    case .resize: try resize(to: drawing)
    case .clear: try clear()
    case .save: try save()
    case .cancel: try cancel()
    case .reEnter: try reEnter()
    case .saveTyped, .saveUploaded, .reuse: try saveOtherwise(action)
    case .complete: _ = try complete()
    }
  }
}

extension Cell.Rules {
  static var all: [Self] {
    var all: [Self] = []
    for form in Cell.Form.allCases {
      for isRequired in [true, false] {
        for allowsTyping in [true, false] {
          for reentersActive in [true, false] {
            var rules = Self()
            (rules.form, rules.isRequired) = (form, isRequired)
            (rules.allowsTyping, rules.reentersActive) = (allowsTyping, reentersActive)
            all.append(rules)
            (rules.allowsUpload, rules.allowsReuse) = (reentersActive, !reentersActive)
            all.append(rules)
          }
        }
      }
    }
    return all
  }
}
