/// A signature field as a state machine: a value that only actions change.
package struct Cell: Hashable, Sendable {
  package let rules: Rules
  package private(set) var state = State.inactive {
    didSet { assert(oldValue.mayBecome(state), "no action leads from \(oldValue) to \(state)") }
  }
  /// Whether the cell was signed with, or its session is complete, so that nothing changes any more.
  package private(set) var isClosed = false
  /// The number of the revision that was signed with; 0: none.
  package private(set) var pinned = 0
  /// Whether the cell was tapped once, so that the scrim over an inline canvas is not shown again.
  package private(set) var wasWoken = false
  package private(set) var drawing = DrawingProgress()
  /// How many signatures were saved.
  package private(set) var revisions = 0

  package enum State: Int, CaseIterable, Sendable {
    case inactive = 1
    case active = 2
    case signed = 3
    case saved = 4
  }

  package enum Form: Int, CaseIterable, Sendable {
    case inline = 1
    case dialog = 2
  }

  /// The properties of a cell that never change.
  package struct Rules: Hashable, Sendable {
    package var form = Form.inline
    package var isRequired = true
    package var allowsTyping = true
    package var allowsUpload = false
    package var allowsReuse = false
    /// Whether a cell that is re-entered can be drawn in at once.
    package var reentersActive = false

    package init() {}
  }

  package init(rules: Rules) {
    self.rules = rules
  }

  /// A cell as it was stored.
  package init(
    rules: Rules, state: State, isClosed: Bool, pinned: Int, wasWoken: Bool, drawing: DrawingProgress, revisions: Int
  ) {
    self.rules = rules
    self.state = state
    self.isClosed = isClosed
    self.pinned = pinned
    self.wasWoken = wasWoken
    self.drawing = drawing
    self.revisions = revisions
  }

  /// The actions that this state accepts.
  package var offered: [CellAction] {
    if isClosed { return [] }
    switch state {
    case .inactive: return [.tap, .resize] + (rules.isRequired ? [] : [.complete])
    // What was drawn and cannot be seen is no signature, but it can be taken back.
    case .active:
      return [.append] + (drawing.points > 0 ? [.undo, .clear] : []) + rules.otherWays + [.cancel, .resize]
    case .signed: return [.append, .undo, .clear, .save, .cancel, .resize]
    case .saved: return [.reEnter, .complete]
    }
  }

  /// Refuses an action that is not offered.
  package func check(_ action: CellAction) throws(CellRefusal) {
    guard !offered.contains(action) else { return }
    throw CellRefusal(action: action, state: state, isClosed: isClosed, offered: offered)
  }

  package mutating func tap() throws(CellRefusal) {
    try check(.tap)
    wasWoken = true
    state = .active
  }

  /// Adds to the drawing; if no ink can be seen of it then, the cell is as if nothing was drawn.
  package mutating func append(_ progress: DrawingProgress) throws(CellRefusal) {
    try check(.append)
    drawing = progress
    state = drawing.sight == .none ? .active : .signed
  }

  /// Takes the last stroke back.
  ///
  /// - Parameter progress: the progress of the drawing without that stroke.
  package mutating func undo(to progress: DrawingProgress) throws(CellRefusal) {
    try check(.undo)
    drawing = progress
    state = drawing.sight == .none ? .active : .signed
  }

  /// Takes the drawing as it is on a canvas of another size, where less of it may be seen.
  package mutating func resize(to progress: DrawingProgress) throws(CellRefusal) {
    try check(.resize)
    drawing = progress
    if state != .inactive { state = drawing.sight == .none ? .active : .signed }
  }

  package mutating func clear() throws(CellRefusal) {
    try check(.clear)
    drawing = DrawingProgress()
    state = .active
  }

  package mutating func save() throws(CellRefusal) {
    try check(.save)
    becomeSaved()
  }

  /// Saves something else than a drawing: a typed name, an image, or another saved signature.
  package mutating func saveOtherwise(_ action: CellAction) throws(CellRefusal) {
    try check(action)
    becomeSaved()
  }

  package mutating func cancel() throws(CellRefusal) {
    try check(.cancel)
    drawing = DrawingProgress()
    state = .inactive
  }

  package mutating func reEnter() throws(CellRefusal) {
    try check(.reEnter)
    state = rules.reentersActive ? .active : .inactive
  }

  /// Closes the cell, if it is not closed already.
  ///
  /// - Returns: whether this changed anything.
  package mutating func complete() throws(CellRefusal) -> Bool {
    if isClosed { return false }
    try check(.complete)
    isClosed = true
    return true
  }

  /// Closes the cell with the revision that was signed with, whatever its state: the decision to sign was made before,
  /// so what was drawn since then is dropped.
  ///
  /// - Returns: whether this changed anything.
  package mutating func pin(_ revision: Int) -> Bool {
    if pinned == revision { return false }
    assert(revision > 0, "a revision is signed with")
    drawing = DrawingProgress()
    state = .saved
    isClosed = true
    pinned = revision
    return true
  }

  private mutating func becomeSaved() {
    assert(state == .active || state == .signed, "a cell is saved with what was drawn, or instead of drawing")
    drawing = DrawingProgress()
    revisions += 1
    state = .saved
  }
}

/// The actions on a cell.
package enum CellAction: Int, CaseIterable, Sendable {
  case tap = 1
  case append = 2
  case clear = 3
  case save = 4
  case cancel = 5
  case reEnter = 6
  case saveTyped = 7
  case complete = 8
  case undo = 9
  case saveUploaded = 10
  case reuse = 11
  case resize = 12

  /// The name in errors and documents.
  package var name: String {
    switch self {
    case .tap: "tap"
    case .append: "append_strokes"
    case .clear: "clear"
    case .save: "save"
    case .cancel: "cancel"
    case .reEnter: "re_enter"
    case .saveTyped: "save_typed"
    case .complete: "complete"
    case .undo: "undo"
    case .saveUploaded: "save_uploaded"
    case .reuse: "reuse"
    case .resize: "resize"
    }
  }
}

extension Cell.Rules {
  /// The actions by which an active cell takes something in place of a drawing.
  fileprivate var otherWays: [CellAction] {
    (allowsTyping ? [.saveTyped] : []) + (allowsUpload ? [.saveUploaded] : []) + (allowsReuse ? [.reuse] : [])
  }
}

extension Cell.State {
  /// Whether any action leads from this state to that. `pin` leads to `saved` from every state.
  fileprivate func mayBecome(_ next: Self) -> Bool {
    switch (self, next) {
    case (.inactive, .signed), (.saved, .signed): false
    default: true
    }
  }

  package var name: String {
    switch self {
    case .inactive: "inactive"
    case .active: "active"
    case .signed: "signed"
    case .saved: "saved"
    }
  }
}

/// An action that the state does not offer, and what it does offer.
package struct CellRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  package let action: CellAction
  package let state: Cell.State
  package let isClosed: Bool
  package let offered: [CellAction]

  package var description: String {
    if isClosed { return "'\(action.name)' is not offered: the field is closed for good" }
    // As in the field's view: only services close fields, so people are not offered that.
    let list = offered.filter { $0 != .complete }.map(\.name).joined(separator: ", ")
    return "'\(action.name)' is not offered in state '\(state.name)'; offered: \(list)"
  }
}
