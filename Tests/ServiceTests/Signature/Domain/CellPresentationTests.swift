import SignatureService
import Testing

/// What a person sees in each state, compared with the table of docs/signature.md.
@Suite struct CellPresentationTests {
  private func shown(_ form: Cell.Form, _ state: Cell.State) throws -> CellPresentation {
    var rules = Cell.Rules()
    rules.form = form
    return CellPresentation(of: try Cell.example(in: state, rules))
  }

  private func names(_ presentation: CellPresentation, _ isIncluded: (CellPresentation.Control) -> Bool) -> String {
    presentation.controls.filter(isIncluded).map { "\($0.kind)" }.joined(separator: " ")
  }

  @Test(
    "controls shown and controls enabled",
    arguments: [
      (Cell.Form.inline, Cell.State.inactive, "canvas", "canvas"),
      (.inline, .active, "canvas cancel undo clear save type", "cancel type"),
      (.inline, .signed, "canvas cancel undo clear save type", "cancel undo clear save"),
      (.inline, .saved, "canvas reEnter", "reEnter"),
      (.dialog, .inactive, "icon add", "icon add"),
      (.dialog, .active, "icon cancel undo clear save type", "cancel type"),
      (.dialog, .signed, "icon cancel undo clear save type", "cancel undo clear save"),
      (.dialog, .saved, "icon reEnter", "reEnter"),
    ])
  func controls(form: Cell.Form, state: Cell.State, shown: String, enabled: String) throws {
    let presentation = try self.shown(form, state)
    #expect(names(presentation, \.isShown) == shown)
    #expect(names(presentation) { $0.isShown && $0.isEnabled } == enabled)
    #expect(!presentation.controls.contains { $0.isEnabled && !$0.isShown })
  }

  @Test("the scrim is shown only until the first tap on an inline field")
  func scrim() throws {
    var cell = Cell(rules: Cell.Rules())
    #expect(CellPresentation(of: cell).isScrimShown)
    try cell.tap()
    #expect(!CellPresentation(of: cell).isScrimShown)
    try cell.cancel()
    #expect(cell.state == .inactive)
    #expect(!CellPresentation(of: cell).isScrimShown)
    #expect(try !shown(.dialog, .inactive).isScrimShown)
  }

  @Test("the canvas takes strokes while active or signed, with the footer below it")
  func drawable() throws {
    for form in Cell.Form.allCases {
      for state in Cell.State.allCases {
        let isOpen = state == .active || state == .signed
        let presentation = try shown(form, state)
        #expect(presentation.isDrawable == isOpen)
        #expect(presentation.isFooterShown == (state != .inactive))
        #expect(presentation.isDialogOpen == (isOpen && form == .dialog))
        #expect(presentation.isCanvasShown == (isOpen || form == .inline))
      }
    }
  }

  @Test("a saved signature is more transparent than one being drawn")
  func transparency() throws {
    let (signed, saved) = (try shown(.inline, .signed), try shown(.inline, .saved))
    #expect(signed.inkOpacityPercent == 100)
    #expect(saved.inkOpacityPercent < signed.inkOpacityPercent)
  }

  @Test("after the session is complete there is no re-enter")
  func closed() throws {
    var cell = try Cell.example(in: .saved, Cell.Rules())
    _ = try cell.complete()
    let presentation = CellPresentation(of: cell)
    #expect(names(presentation, \.isShown) == "canvas")
    #expect(names(presentation, \.isEnabled) == "")
    #expect(!presentation.isFooterShown)
  }

  @Test("what was drawn and cannot be seen can be taken back, and not saved")
  func unseen() throws {
    var cell = try Cell.example(in: .active, Cell.Rules())
    var progress = DrawingProgress()
    (progress.begunStrokes, progress.points) = (2, 9)
    try cell.append(progress)
    #expect(names(CellPresentation(of: cell)) { $0.isShown && $0.isEnabled } == "cancel undo clear type")
  }

  @Test("uploads and reuse are offered where the field allows them, between typing and re-entering")
  func otherWays() throws {
    var rules = Cell.Rules()
    (rules.allowsUpload, rules.allowsReuse) = (true, true)
    let active = CellPresentation(of: try Cell.example(in: .active, rules))
    #expect(names(active) { $0.isShown && $0.isEnabled } == "cancel type upload reuse")
    let signed = CellPresentation(of: try Cell.example(in: .signed, rules))
    #expect(names(signed) { $0.isShown && $0.isEnabled } == "cancel undo clear save")
    #expect(!CellPresentation(of: try Cell.example(in: .active, Cell.Rules())).controls.contains { $0.kind == .upload })
  }

  @Test("where typing is not allowed, it is not offered")
  func noTyping() throws {
    var rules = Cell.Rules()
    rules.allowsTyping = false
    for state in Cell.State.allCases {
      #expect(!CellPresentation(of: try Cell.example(in: state, rules)).controls.contains { $0.kind == .type })
    }
  }
}
