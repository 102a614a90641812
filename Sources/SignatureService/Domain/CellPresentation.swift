/// What a cell shows in each state: the parts on the screen, the ones that are enabled, and what they do.
package struct CellPresentation: Hashable, Sendable {
  package let isDialogOpen: Bool
  package let isCanvasShown: Bool
  package let isScrimShown: Bool
  package let isDrawable: Bool
  package let isFooterShown: Bool
  package let isPlaceholderShown: Bool
  package let inkOpacityPercent: Int
  /// All controls of the form, in their order on the screen.
  package let controls: [Control]

  package struct Control: Hashable, Sendable {
    package let kind: ControlKind
    package let isShown: Bool
    package let isEnabled: Bool
  }

  package enum ControlKind: Int, CaseIterable, Sendable {
    case canvas = 1
    case icon = 2
    case add = 3
    case cancel = 4
    case clear = 5
    case save = 6
    case type = 7
    case reEnter = 8
    case undo = 9
    case upload = 10
    case reuse = 11

    package var action: CellAction {
      switch self {
      case .canvas, .icon, .add: .tap
      case .cancel: .cancel
      case .clear: .clear
      case .undo: .undo
      case .save: .save
      case .type: .saveTyped
      case .upload: .saveUploaded
      case .reuse: .reuse
      case .reEnter: .reEnter
      }
    }
  }

  package init(of cell: Cell) {
    let isInline = cell.rules.form == .inline
    let isOpen = cell.state == .active || cell.state == .signed
    let isSaved = cell.state == .saved
    isDialogOpen = !isInline && isOpen
    isCanvasShown = isInline || isOpen
    isScrimShown = isInline && cell.state == .inactive && !cell.wasWoken && !cell.isClosed
    isDrawable = isOpen
    isFooterShown = isOpen || (isSaved && !cell.isClosed)
    isPlaceholderShown = cell.state == .inactive || cell.state == .active
    inkOpacityPercent = isSaved ? Self.savedOpacityPercent : 100
    controls = Self.kinds(of: cell.rules).map { kind in
      Control(kind: kind, isShown: Self.shows(kind, cell), isEnabled: cell.offered.contains(kind.action))
    }
  }

  /// A saved signature is more transparent, to show that its canvas no longer takes strokes.
  private static let savedOpacityPercent = 60

  private static func kinds(of rules: Cell.Rules) -> [ControlKind] {
    let entry: [ControlKind] = rules.form == .inline ? [.canvas] : [.icon, .add]
    var footer: [ControlKind] = [.undo, .clear, .save]
    if rules.allowsTyping { footer.append(.type) }
    if rules.allowsUpload { footer.append(.upload) }
    if rules.allowsReuse { footer.append(.reuse) }
    return entry + [.cancel] + footer + [.reEnter]
  }

  private static func shows(_ kind: ControlKind, _ cell: Cell) -> Bool {
    switch kind {
    // The canvas or icon is always shown, the button only while the cell is inactive.
    case .canvas, .icon: true
    case .add: cell.state == .inactive
    case .cancel, .undo, .clear, .save, .type, .upload, .reuse: cell.state == .active || cell.state == .signed
    case .reEnter: cell.state == .saved && !cell.isClosed
    }
  }
}
