package import Base
internal import Documents
internal import Ink
internal import ServicePolicy
package import SignatureContract
internal import Typesetting

/// Lays papers out: turns signatures into paths, and hands everything to the composer.
package struct PaperMaker: Sendable {
  private let composer: PaperComposer
  private let typesetter: Typesetter
  private let renderer = Renderer()
  let patience: Duration

  /// - Parameter patience: how long one document may take.
  package init(fonts: String, patience: Duration = .seconds(30)) {
    self.patience = patience
    composer = PaperComposer(fonts: FontFolder(fonts))
    typesetter = Typesetter(folder: fonts)
  }

  /// - Parameter deadline: the deadline of the call.
  package func compose(_ paper: Paper, until deadline: MonotonicTime, _ clock: Clock) throws -> [UInt8] {
    let end = clock.monotonic + patience
    let isOver: @Sendable () -> Bool = { Task.isCancelled || clock.monotonic >= min(end, deadline) }
    let content: [UInt8]
    do {
      let reader = PaperReader(isOver: isOver) { try picture(of: $0, isOver) }
      content = try composer.compose(try reader.paper(paper), isOver: isOver)
    } catch  where Self.isStop(error) && end <= deadline && !Task.isCancelled {
      throw Refusal(
        .invalid, "takes_too_long", field: "paper",
        "paper takes more than \(patience.wholeMilliseconds / 1000) seconds to be laid out: make it shorter")
    }
    guard content.count <= PaperBounds.file else {
      throw Refusal(
        .invalid, "document_too_large", field: "paper",
        "paper makes a file of \(content.count) bytes; it must be at most \(PaperBounds.file)")
    }
    return content
  }

  private static func isStop(_ error: any Error) -> Bool {
    error as? DocumentError == .stopped || (error as? InkError)?.cause == .stopped
  }

  /// A signature as PDF operators that fill its paths.
  private func picture(
    of image: PaperSignature.Image, _ isOver: @escaping @Sendable () -> Bool
  ) throws -> VectorPicture {
    var options = RenderOptions()
    options.frame = .trimmed(margin: 4)
    let budget = DrawingBudget(isOver: isOver)
    let path: InkPath
    switch image {
    case .blob(let blob):
      let signature = try StoredSignature.read(blob)
      let words = try typesetter.words(below: signature)?.letters
      switch signature {
      case .strokes(let ink): path = try renderer.path(ink, options, words: words, budget)
      case .shapes(let shapes):
        path = try renderer.path(words.map { shapes.letters.joined(with: $0) } ?? shapes.letters, options, budget)
      }
    case .typed(let name):
      let (text, font) = try FieldChecks.typed(name, "paper.signatures.typed")
      let letters = try typesetter.letters(text, font: font, on: Canvas(FieldChecks.defaultCanvas))
      let words = try typesetter.words(Inscription(name.inscription), below: letters.canvas)?.letters
      path = try renderer.path(words.map { letters.joined(with: $0) } ?? letters, options, budget)
    }
    return VectorPicture(operators: path.operators, width: Double(path.width), height: Double(path.height))
  }
}

/// Bounds of a paper. Texts and pictures have room for what authors of a document may use. A document that exceeds
/// another bound can be agreed to, but no file is made of it (`CopyProblem`).
package enum PaperBounds {
  package static let file = 24 << 20
  /// All texts and markup together. The sections of a document alone may have 4 MiB.
  package static let text = 6 << 20
  /// A paper with no more bytes of text than this, and no pictures, is laid out in its caller's first turn.
  package static let light = 64 << 10
  package static let sections = 1000
  package static let signatures = 64
  package static let pictures = 1000
  /// The most pixels of all raster pictures together, since they are unpacked to be laid out.
  package static let pixels = 64_000_000
  /// The most bytes of a drawing; raster pictures are bounded by their pixels.
  package static let drawing = 4 << 20
  package static let attachments = 16
  package static let certificates = 1 << 20
  package static let margin: ClosedRange<Int32> = 45...144
}
