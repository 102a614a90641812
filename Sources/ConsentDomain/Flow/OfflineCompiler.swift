internal import Base
package import ConsentContract
internal import Refusals
internal import Wire

/// Writes a flow as a table of screens, actions and successors, for use without a connection.
package struct OfflineCompiler {
  /// More than any real flow has; a hostile one is refused instead of filling memory.
  package static let mostScreens = 5000
  /// The limit for all screens together, which one response holds. Each screen of a review has the whole document.
  package static let mostBytes = 30 << 20

  private let script: FlowScript
  /// The same with the placeholder of a name that may be entered on the way; nil where none may.
  private let open: FlowScript?
  private let start: SessionState
  private var rows: [OfflineScreen] = []
  private var bytes = 0
  private var indices: [Node: Int32] = [:]
  private var queue: [Node] = []

  /// The key of a row. It includes the outcome, what was decided about documents, and whether a form was allowed,
  /// because the last screens say so.
  private struct Node: Hashable {
    let place: MessageKey<FlowPosition>
    let outcome: SessionOutcome
    let given: DocumentsGiven
    let allowed: Bool

    init(position: FlowPosition, outcome: SessionOutcome, given: DocumentsGiven, allowed: Bool) {
      place = MessageKey(position)
      self.outcome = outcome
      self.given = given
      self.allowed = allowed
    }

    var position: FlowPosition { place.message }
  }

  /// The table of everything that can follow `state`. Questions count as passed; ages follow from the birth date if it
  /// is known, and count as of age otherwise.
  ///
  /// - Parameter filled: makes the script with other words for its placeholders; without it no name is left open.
  package static func table(
    of engine: FlowEngine, from state: SessionState, filled: ([FilledPlaceholder]) throws -> FlowScript? = { _ in nil }
  ) throws -> [OfflineScreen] {
    let open = try engine.script.filledAhead(in: state).flatMap(filled)
    var compiler = OfflineCompiler(script: engine.script, open: open, start: state)
    try compiler.refuseConditions(ahead: state)
    let known = TableFacts(of: state).facts(on: state.startDay)
    let start = Node(
      position: state.position ?? FlowPosition(), outcome: state.outcome, given: engine.given(in: state),
      allowed: state.forms.contains(where: \.allowed))
    try compiler.walk(FlowMoves(script: engine.script, facts: known), from: start)
    return compiler.rows
  }

  /// The hash by which a submission names its table.
  package static func hash(of screens: [OfflineScreen]) throws -> String {
    var builder = DigestBuilder()
    for screen in screens { builder.update(try screen.encoded()) }
    return builder.finish().hex
  }

  private init(script: FlowScript, open: FlowScript?, start: SessionState) {
    (self.script, self.open, self.start) = (script, open, start)
  }

  /// Throws if a step ahead depends on answers, or on an age while the birth date is not known: a table has neither.
  private func refuseConditions(ahead state: SessionState) throws(Refusal) {
    let here = Int(state.position?.step ?? 0)
    let ahead = script.steps[here...].first { step in
      guard let condition = step.condition else { return false }
      return !condition.answers.isEmpty || (condition.age != nil && state.birthDate == nil)
    }
    guard let ahead else { return }
    let message = "steps[\(ahead.id)] is shown depending on answers or on an age that is not known yet"
    throw Refusal(
      .precondition, "conditional_steps", field: "session_id", "\(message): it cannot be walked without a connection")
  }

  private mutating func walk(_ moves: FlowMoves, from start: Node) throws {
    _ = index(of: start)
    var next = 0
    while next < queue.count {
      let node = queue[next]
      next += 1
      var row = OfflineScreen(screen: screen(of: node, in: script, moves), outcome: node.outcome)
      if let open { fillNames(of: node, in: open, moves, &row) }
      for action in moves.offered(at: node.position) {
        let declines = moves.declines(action, at: node.position)
        let successor = follow(moves.move(from: node.position, on: action), node, action, declines: declines)
        row.edges.append(OfflineEdge(action: action, successor: index(of: successor)))
      }
      rows.append(row)
      bytes += try row.encoded().count
      guard bytes <= Self.mostBytes else {
        let message = "the flow's screens have more than \(Self.mostBytes) bytes; they do not fit into one answer"
        throw Refusal(.invalid, "table_too_large", field: "session_id", message)
      }
      guard queue.count <= Self.mostScreens else {
        let message = "the flow has more than \(Self.mostScreens) screens; it cannot be walked without a connection"
        throw Refusal(.invalid, "table_too_large", field: "session_id", message)
      }
    }
  }

  private func screen(of node: Node, in script: FlowScript, _ moves: FlowMoves) -> ConsentScreen {
    ScreenBuilder(script: script, moves: moves, given: node.given, hasAllowed: node.allowed, isOffline: true)
      .screen(at: node.position, outcome: node.outcome)
  }

  /// Leaves the name open on a screen where it stands and may have been entered on the way.
  private func fillNames(of node: Node, in open: FlowScript, _ moves: FlowMoves, _ row: inout OfflineScreen) {
    let step = script.steps[Int(node.position.step)]
    let names = script.namesAhead(of: step, node.given, from: start)
    guard !names.isEmpty else { return }
    var unfilled = screen(of: node, in: open, moves)
    guard unfilled != row.screen else { return }
    // Nobody knows yet what will be shown.
    unfilled.shownHash = ""
    unfilled.schemaVersion = ScreenSchema.named
    row.screen = unfilled
    (row.names, row.nameBefore) = (names, script.nameBefore(step, names, in: start))
  }

  private func follow(_ move: FlowMove, _ node: Node, _ action: ActionKind, declines: Bool) -> Node {
    let step = script.steps[Int(node.position.step)]
    var given = node.given
    let hasAllowed = node.allowed || action == .allow
    switch move {
    case .end(let outcome, let leavesStep):
      var position = node.position
      position.alert = .unspecified
      position.closed = true
      position.transition = .slideDown
      if leavesStep, step.isReview { given.decide(step.id, agreed: true) }
      return Node(
        position: position, outcome: outcome, given: given, allowed: hasAllowed && isToldOfAllowed(from: position))
    case .to(let position):
      if step.isReview, position.step > node.position.step { given.decide(step.id, agreed: !declines) }
      var outcome = node.outcome
      if case .completion = script.page(at: position), outcome == .unspecified {
        outcome = given.isDeclined(in: script) ? .declined : .completed
      }
      return Node(
        position: position, outcome: outcome, given: given, allowed: hasAllowed && isToldOfAllowed(from: position))
    }
  }

  /// Whether a screen from here on says what was allowed before: the last one after a form was denied. Where none does,
  /// no screen is in the table twice for it.
  private func isToldOfAllowed(from position: FlowPosition) -> Bool {
    script.steps[Int(position.step)...].contains { step in
      if case .form(let form, _)? = step.pages.first { form.condition == .mandatory } else { false }
    }
  }

  private mutating func index(of node: Node) -> Int32 {
    if let known = indices[node] { return known }
    let index = Int32(queue.count)
    indices[node] = index
    queue.append(node)
    return index
  }
}
