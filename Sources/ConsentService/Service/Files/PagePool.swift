internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import PDF
internal import RPC
internal import ServicePolicy

/// Draws PDF files before a transaction begins, one at a time for all callers, who take turns.
struct PagePool: Sendable {
  private let pool = FairPool(name: "pages", limits: FairLimits(threads: 1))
  private let drawer: PageDrawer

  init(drawer: PageDrawer = PageDrawer()) {
    self.drawer = drawer
  }

  /// A file with its pages, and the images that these name.
  struct Drawn: Sendable {
    let file: PagedFile
    let images: [ConsentAsset]
  }

  /// - Parameter file: a file that was accepted already, as having nothing but pages.
  private func draw(_ file: ConsentAsset, _ field: String, _ context: CallContext) async throws -> Drawn {
    let caller = "\(context.identity.tenant)/\(context.identity.subject)"
    return try await draw(file, field, for: caller, FairPool.Waiting(freeingSlotOf: context))
  }

  /// A scan's pages; throws for one that cannot be drawn, such as one that has more than pages.
  func draw(_ scan: [UInt8], for caller: String) async throws -> Drawn {
    try await draw(ConsentAsset(kind: .pdf, data: scan), "scan", for: caller, FairPool.Waiting())
  }

  /// The pages of a file that was made of a document, as they look.
  func pictures(of file: [UInt8], _ context: CallContext) async throws -> [PagePicture] {
    let drawn = try await draw(ConsentAsset(kind: .pdf, data: file), "document_id", context)
    return zip(drawn.file.pages, drawn.images).map { page, image in
      PagePicture(picture: image.data, text: page.text, width: page.width, height: page.height)
    }
  }

  private func draw(
    _ file: ConsentAsset, _ field: String, for caller: String, _ waiting: FairPool.Waiting
  ) async throws -> Drawn {
    let drawer = drawer
    do {
      // Drawing is never light work.
      return try await pool.run(for: caller, waiting: waiting) { () -> Drawn? in
        nil
      } full: {
        let count = try PassiveFile(file.data, mostPages: FileBounds.mostPages).pageCount
        let pages = try drawer.pages(of: file.data, count: count, field)
        return Drawn(
          file: PagedFile(asset: file.hash, pages: pages.map(\.message)), images: pages.map(\.image))
      }
    } catch let refusal as FairRefusal {
      switch refusal {
      case .callerWaits(let bound):
        throw Refusal(
          .exhausted, "caller_waits", "\(bound) files of this caller wait to be drawn already, as many as may")
      case .allWait(let bound):
        throw Refusal(.exhausted, "all_wait", "\(bound) files wait to be drawn already, as many as may")
      }
    }
  }

  /// Draws all PDF files among assets.
  ///
  /// - Parameter field: the name of an asset's bytes in the request.
  func draw(
    _ assets: [ConsentAsset], _ context: CallContext, field: (Int) -> String
  ) async throws -> [Drawn] {
    var drawn: [Drawn] = []
    for (index, asset) in assets.enumerated() where asset.kind == .pdf {
      drawn.append(try await draw(asset, field(index), context))
    }
    return drawn
  }
}
