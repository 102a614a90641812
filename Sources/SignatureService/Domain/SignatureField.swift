package import Base
package import Ink
package import SignatureContract

/// A field: its cell, its reference, its settings, and the signature that counts now.
package struct SignatureField: Equatable, Sendable {
  package let id: String
  package var version: Int64
  package var cell: Cell
  package let reference: FieldReference
  /// With every default filled in. Only the canvas may change.
  package private(set) var settings: FieldSettings
  package var saved: SavedSignature?
  /// The device that created the field; empty: a person or a service did.
  package var holder: String
  /// To whom it is lent.
  package var loan = FieldLoan.none
  /// The device that drew what is drawn and not saved, or a part of it, while the field was lent to it; empty: none.
  package var drawnOn = ""

  package init(id: String, reference: FieldReference, settings: FieldSettings) {
    self.init(
      id: id, version: 1, cell: Cell(rules: Cell.Rules(settings)), reference: reference, settings: settings, saved: nil,
      holder: "")
  }

  package init(
    id: String, version: Int64, cell: Cell, reference: FieldReference, settings: FieldSettings, saved: SavedSignature?,
    holder: String
  ) {
    self.id = id
    self.version = version
    self.cell = cell
    self.reference = reference
    self.settings = settings
    self.saved = saved
    self.holder = holder
  }

  /// What the field asks for: a signature, unless it states something else.
  package var mark: FieldMark { settings.mark == .initials ? .initials : .signature }

  /// The words below a signature that is saved at this time. The date is that of the server's clock, since the server
  /// vouches for it; the device only states the offset from UTC in which it is shown.
  package func inscription(at now: Instant, _ time: SigningTime) -> Inscription {
    guard let wanted = settings.inscription else { return .none }
    let date = TimeText.printed(now, offsetMinutes: Int(time.utcOffsetMinutes))
    return Inscription(name: wanted.name, date: wanted.date ? date : "", reason: wanted.reason)
  }

  package mutating func resize(to canvas: InkCanvas) {
    settings.canvas = canvas
  }

  package var surface: CaptureSurface {
    let canvas = settings.canvas ?? FieldChecks.defaultCanvas
    return CaptureSurface(width: canvas.width, height: canvas.height)
  }

  /// The field's pen as strokes store it. A pen of signature_pad with width 3 has radii from 0.5 to 2.5.
  package var pen: Pen {
    guard settings.penWidth != FieldChecks.defaultPenWidth else { return .standard }
    return Pen(minimumRadius: settings.penWidth / 6, maximumRadius: settings.penWidth * 5 / 6)
  }
}

extension Cell.Rules {
  package init(_ settings: FieldSettings) {
    self.init()
    form = settings.form == .dialog ? .dialog : .inline
    isRequired = settings.required
    allowsTyping = !settings.typingRefused
    allowsUpload = settings.uploadAllowed
    allowsReuse = settings.reuseAllowed
    reentersActive = settings.reentry == .toActive
  }
}

extension SignatureField {
  /// The field as a person sees it.
  package var view: FieldView {
    let shown = CellPresentation(of: cell)
    var view = FieldView()
    view.fieldID = id
    view.version = version
    view.state = FieldState(number: Int32(cell.state.rawValue))
    view.completed = cell.isClosed
    view.reference = reference
    view.form = settings.form
    view.header = settings.header
    view.requiredMark = settings.required ? "*" : ""
    view.label = settings.label
    view.helperText = settings.helperText
    view.placeholder = shown.isPlaceholderShown ? settings.placeholder : ""
    view.canvasShown = shown.isCanvasShown
    view.dialogOpen = shown.isDialogOpen
    view.scrimShown = shown.isScrimShown
    view.drawable = shown.isDrawable
    view.signatureLineShown = shown.isDrawable
    view.footerShown = shown.isFooterShown
    view.controls = shown.controls.map { control in
      FieldControl(
        kind: FieldControlKind(number: Int32(control.kind.rawValue)), shown: control.isShown,
        enabled: control.isEnabled, label: label(of: control.kind),
        action: FieldAction(number: Int32(control.kind.action.rawValue)))
    }
    // Only services close fields, so people are not offered that.
    view.offered = cell.offered.filter { $0 != .complete }.map { FieldAction(number: Int32($0.rawValue)) }
    view.canvas = settings.canvas
    view.penWidth = settings.penWidth
    view.inkOpacityPercent = Int32(clamping: shown.inkOpacityPercent)
    view.strokeCount = Int32(clamping: cell.drawing.begunStrokes)
    view.pointCount = Int32(clamping: cell.drawing.points)
    view.droppedPoints = Int32(clamping: cell.drawing.droppedPoints)
    view.lastStrokePoints = Int32(clamping: cell.drawing.lastStrokePoints)
    view.saved = saved
    view.savedImage = saved.map { savedImage(of: $0) }
    view.fonts = cell.rules.allowsTyping ? FieldChecks.fonts : []
    view.revisionCount = Int32(clamping: cell.revisions)
    view.pinnedRevision = Int32(clamping: cell.pinned)
    view.mark = mark
    view.inscription = settings.inscription
    view.lentTo = loan.device
    return view
  }

  private func label(of control: CellPresentation.ControlKind) -> String {
    let words = settings.words ?? FieldWords()
    return switch control {
    case .canvas: cell.state == .inactive && !cell.isClosed ? words.tapToSign : words.signature
    case .icon, .add: words.addSignature
    case .cancel: words.cancel
    case .clear: words.clear
    case .undo: words.undo
    case .save: words.save
    case .type: words.typeInstead
    case .upload: words.upload
    case .reuse: words.reuse
    case .reEnter: words.reEnter
    }
  }

  /// The settings for pictures of the signatures that are saved in the field.
  package var picture: RenderSettings {
    var picture = RenderSettings()
    picture.penWidth = settings.penWidth
    (picture.inkColor, picture.paperColor) = (settings.inkColor, settings.paperColor)
    if let crop = settings.crop { (picture.trim, picture.trimMargin) = (true, crop.padding) }
    return picture
  }

  /// Describes the picture of a saved signature. Its ETag follows from the signature's hash, before the picture is
  /// drawn, unless it shows letters: their outlines depend on the fonts.
  private func savedImage(of saved: SavedSignature) -> SavedImage {
    var image = SavedImage(
      signatureID: saved.signatureID, etag: "", penWidth: settings.penWidth, settings: picture)
    // The settings were checked when the field was created.
    let hasLetters = saved.kind == .typed || settings.inscription != nil
    if !hasLetters, let hash = Digest(hex: saved.hash), let options = try? RenderOptions(picture) {
      image.etag = Hex.encode(Renderer.key(strokes: hash, options).bytes)
    }
    return image
  }
}
