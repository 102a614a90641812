package import Base
package import Ink
internal import RPC
internal import ServicePolicy
package import SignatureContract
package import Typesetting

/// Draws pictures on a thread pool of its own, its callers in turns, and caches them.
package struct PictureMaker: Sendable {
  private let renderer = Renderer()
  private let typesetter: Typesetter
  private let pool: FairPool
  private let cache: PictureCache
  private let keepsSlots: Bool

  /// With `keepsSlots`, a call that waits for its turn keeps its slot, so that further calls wait at the gateway, where
  /// other processes may take them, and none is refused because too many wait here.
  package init(pool: FairPool, cache: PictureCache, typesetter: Typesetter, keepsSlots: Bool = false) {
    self.pool = pool
    self.cache = cache
    self.typesetter = typesetter
    self.keepsSlots = keepsSlots
  }

  /// What is to be drawn.
  package enum Subject: Sendable {
    case drawing(InkDrawing)
    /// Strokes or shapes in their stored form. For a saved one, its commitment: a plain hash in the ETag would tell
    /// whoever has the same drawing that it is the one.
    case blob([UInt8], commitment: Digest? = nil)
    /// A name. For a saved one, the salt of its commitment: a plain hash of the letters in the ETag would reveal the
    /// name to whoever tries names.
    case typed(TypedText, NameFont, words: Inscription = .none, salt: [UInt8] = [])

    init(_ name: TypedName, salt: [UInt8] = []) throws(Refusal) {
      let (text, font) = try FieldChecks.typed(name, "typed")
      self = .typed(text, font, words: Inscription(name.inscription), salt: salt)
    }

    /// The hash of the strokes from which the picture's ETag is made, if it is known before they are read: only for
    /// strokes without letters below them.
    fileprivate var strokes: Digest? {
      guard case .blob(let bytes, let commitment) = self, StoredSignature.isStrokesAlone(bytes) else { return nil }
      return commitment ?? Digest(of: bytes)
    }
  }

  /// Draws a picture, unless it is cached here or its ETag is `knownTag`, the one that the caller has.
  package func picture(
    of subject: Subject, _ options: RenderOptions, knownTag: String = ""
  ) async throws -> RenderResponse {
    // A stored form names its strokes without being read, so a cached picture is found without a thread switch.
    if let strokes = subject.strokes {
      let key = Renderer.key(strokes: strokes, options)
      if let known = known(key, options, knownTag) { return known }
    }
    let context = CallContext.current
    let caller = context.map { "\($0.identity.tenant)/\($0.identity.subject)" } ?? ""
    do {
      return try await pool.run(for: caller, waiting: waiting(context)) {
        do {
          return try draw(subject, options, knownTag, Self.light)
        } catch let error as InkError where error.cause == .tooMuch {
          return nil
        }
      } full: {
        try draw(subject, options, knownTag, Self.full)
      }
    } catch let refusal as FairRefusal {
      throw Self.refusal(refusal)
    }
  }

  /// Reads a file of strokes, in its caller's turn.
  package func read(_ file: [UInt8], as format: InkFormat?) async throws -> Ink {
    try await inTurn { try Ink.read(file, as: format) }
  }

  /// The shapes of the ink in an uploaded image. A photograph takes long, so it never takes a caller's quick first
  /// turn.
  package func shapes(ofImage file: [UInt8]) async throws -> Shapes {
    try await inTurn(isQuick: false) { try UploadedImage.shapes(of: file) }
  }

  /// Whether ink can be seen of a drawing that takes long to draw.
  package func sees(_ ink: Ink, in field: SignatureField) async throws -> Bool {
    try await inTurn(isQuick: false) { try InkSight(of: ink, in: field, isPatient: true) == .seen }
  }

  /// Refuses words that no font can draw, before anything is signed with them.
  package func check(_ words: FieldInscription) async throws {
    for (line, path) in [(words.name, "name"), (words.reason, "reason")] where !line.isEmpty {
      do {
        try await inTurn {
          _ = try typesetter.words(Inscription(name: line), below: Canvas(FieldChecks.defaultCanvas))
        }
      } catch let error as TypesettingError {
        throw error.refusal(of: "settings.inscription.\(path)")
      }
    }
  }

  private func inTurn<Result: Sendable>(
    isQuick: Bool = true, _ work: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    let context = CallContext.current
    let caller = context.map { "\($0.identity.tenant)/\($0.identity.subject)" } ?? ""
    do {
      return try await pool.run(for: caller, waiting: waiting(context)) {
        isQuick ? try work() : nil
      } full: {
        try work()
      }
    } catch let refusal as FairRefusal {
      throw Self.refusal(refusal)
    }
  }

  /// While a call waits for its turn, other calls may use its slot, unless `keepsSlots` is set.
  private func waiting(_ context: CallContext?) -> FairPool.Waiting {
    FairPool.Waiting(freeingSlotOf: keepsSlots ? nil : context)
  }

  /// How much work a picture may take in a caller's first turn: some milliseconds, several times what a signature
  /// takes.
  private static let light = DrawingBudget(steps: 1 << 20, isOver: { Task.isCancelled })
  private static let full = DrawingBudget(isOver: { Task.isCancelled })

  private static func refusal(_ refusal: FairRefusal) -> Refusal {
    switch refusal {
    case .callerWaits(let bound):
      Refusal(.exhausted, "caller_waits", "\(bound) pictures of this caller wait to be drawn already, as many as may")
    case .allWait(let bound):
      Refusal(.exhausted, "all_wait", "\(bound) pictures wait to be drawn already, as many as may")
    }
  }

  private func draw(
    _ subject: Subject, _ options: RenderOptions, _ knownTag: String, _ budget: DrawingBudget
  ) throws -> RenderResponse {
    switch subject {
    case .drawing(let drawing):
      let ink = try Ink(drawing)
      return try draw(.strokes(ink), StrokeBlob(ink).hash, options, knownTag, budget)
    case .blob(let bytes, let commitment):
      return try draw(
        try StoredSignature.read(bytes), commitment ?? Digest(of: bytes), options, knownTag, budget)
    case .typed(let name, let font, let words, let salt):
      let (plain, faces) = try typesetter.set(name, font: font, on: Canvas(FieldChecks.defaultCanvas))
      let below = try typesetter.words(words, below: plain.canvas)
      let letters = below.map { plain.joined(with: $0.letters) } ?? plain
      let hash = salt.isEmpty ? letters.hash : Digest(of: salt + letters.hash.bytes)
      var response = try answer(hash, options, knownTag) { () throws(InkError) in
        try renderer.render(letters, options, budget)
      }
      response.faces = Self.faces(faces + (below?.faces ?? []).filter { !faces.contains($0) })
      return response
    }
  }

  /// - Parameter hash: the hash of the stored signature. If there are words below it, the hash of their letters becomes
  ///   part of the picture's ETag as well.
  private func draw(
    _ signature: StoredSignature, _ hash: Digest, _ options: RenderOptions, _ knownTag: String,
    _ budget: DrawingBudget
  ) throws -> RenderResponse {
    let words = try typesetter.words(below: signature)
    let name = words.map { Digest(of: hash.bytes + $0.letters.hash.bytes) } ?? hash
    var response = try answer(name, options, knownTag) { () throws(InkError) in
      switch signature {
      case .strokes(let ink): try renderer.render(ink, options, words: words?.letters, budget)
      case .shapes(let shapes):
        try renderer.render(words.map { shapes.letters.joined(with: $0.letters) } ?? shapes.letters, options, budget)
      }
    }
    response.faces = Self.faces(words?.faces ?? [])
    return response
  }

  private static func faces(_ faces: [Typesetting.NameFace]) -> [SignatureContract.NameFace] {
    faces.map { SignatureContract.NameFace(name: $0.name, plain: $0.isPlain) }
  }

  private func answer(
    _ hash: Digest, _ options: RenderOptions, _ knownTag: String, draw: () throws(InkError) -> Picture
  ) throws(InkError) -> RenderResponse {
    let key = Renderer.key(strokes: hash, options)
    if let known = known(key, options, knownTag) { return known }
    let picture = try draw()
    cache.insert(picture, for: key)
    return Self.response(key, picture)
  }

  private func known(_ key: Digest, _ options: RenderOptions, _ knownTag: String) -> RenderResponse? {
    if key.hex == knownTag {
      return RenderResponse(mediaType: options.format.mediaType, etag: key.hex, notModified: true)
    }
    return cache.picture(key).map { Self.response(key, $0) }
  }

  private static func response(_ key: Digest, _ picture: Picture) -> RenderResponse {
    RenderResponse(
      image: picture.bytes, mediaType: picture.mediaType, width: Int32(picture.width), height: Int32(picture.height),
      etag: key.hex, notModified: false)
  }
}

extension Typesetter {
  /// The letters of the words below a stored signature; nil where there are none.
  package func words(
    below signature: StoredSignature
  ) throws(TypesettingError) -> (letters: Letters, faces: [Typesetting.NameFace])? {
    switch signature {
    case .strokes(let ink):
      try ink.canvas.flatMap { (canvas) throws(TypesettingError) in
        try words(ink.inscription, below: canvas)
      }
    case .shapes(let shapes): try words(shapes.inscription, below: shapes.canvas)
    }
  }
}
