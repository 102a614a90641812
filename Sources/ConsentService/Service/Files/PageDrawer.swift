internal import Base
package import ConsentContract
internal import ConsentDomain
internal import PDF
internal import ServicePolicy
internal import Synchronization

/// Draws the pages of a PDF file and reads what they say, by poppler's programs.
///
/// The programs parse files that somebody sent, in a language without memory safety. So they run as processes of their
/// own: without this process' variables and open files, in an empty folder, with limits on memory, time and what they
/// write.
package struct PageDrawer: Sendable {
  private let patience: Duration

  /// - Parameter patience: how long one program may take, also in processor time.
  package init(patience: Duration = .seconds(30)) {
    self.patience = patience
  }

  private static let mostMemory = 1 << 30
  /// The qualities of JPEG that are tried, in this order, until the images are small enough.
  private static let qualities = [85, 60]

  /// A page as it was drawn.
  package struct Page: Sendable {
    package let image: ConsentAsset
    package let width: Int
    package let height: Int
    package fileprivate(set) var text = ""

    var message: FilePage {
      FilePage(imageAsset: image.hash, text: text, width: Int32(width), height: Int32(height))
    }
  }

  /// Blocks its thread until the pages are drawn.
  ///
  /// - Parameter count: how many pages the file has.
  package func pages(of file: [UInt8], count: Int, _ field: String) throws -> [Page] {
    let folder = try TemporaryFolder(named: "assent-pages")
    try Files.write(file, to: folder.file("in.pdf"), mode: 0o600)
    var pages = try images(in: folder, count: count, field)
    try run(["pdftotext", "-enc", "UTF-8", "in.pdf", "out.txt"], in: folder, field)
    let text = try Files.read(folder.file("out.txt"))
    guard text.count <= FileBounds.longestText else {
      let message = "\(field) has \(text.count) bytes of text; it must have at most \(FileBounds.longestText)"
      throw Refusal(.invalid, "too_much_text", field: field, message)
    }
    for (index, text) in FileTexts.pages(of: text, count: count).enumerated() { pages[index].text = text }
    return pages
  }

  private func images(in folder: TemporaryFolder, count: Int, _ field: String) throws -> [Page] {
    var total = 0
    for quality in Self.qualities {
      let options = ["-jpeg", "-jpegopt", "quality=\(quality),optimize=y", "-scale-to", "\(FileBounds.side)"]
      try run(["pdftoppm"] + options + ["in.pdf", "page-\(quality)"], in: folder, field)
      let names = try Files.names(in: folder.path).filter { $0.hasPrefix("page-\(quality)-") }
      guard names.count == count else {
        throw broken(field, "has \(count) pages, of which \(names.count) can be drawn")
      }
      let files = try names.map { try Files.read(folder.file($0)) }
      total = files.reduce(0) { $0 + $1.count }
      guard total <= FileBounds.longestImages else { continue }
      return try files.map { file in
        guard let image = PDFImage(jpeg: file), AssetReading.fault(in: file, of: .jpeg) == nil else {
          throw broken(field, "has a page whose image is broken")
        }
        return Page(image: AssetRules.named(.jpeg, file), width: image.width, height: image.height)
      }
    }
    let message =
      "\(field) has pages that take \(total) bytes as images; they must take at most \(FileBounds.longestImages)"
    throw Refusal(.invalid, "pages_too_large", field: field, message)
  }

  // MARK: - Programs

  /// Runs a program to its end, within bounds.
  private func run(_ program: [String], in folder: TemporaryFolder, _ field: String) throws {
    let seconds = max(1, patience.components.seconds)
    let bounds = [
      "--as=\(Self.mostMemory)", "--cpu=\(seconds)", "--fsize=\(64 << 20)", "--core=0", "--nofile=64",
    ]
    var command = ChildCommand("prlimit", bounds + program)
    command.environment = Environment.current.mapValues { _ in nil }
    command.environment["PATH"] = Environment.current["PATH"] ?? "/usr/bin:/bin"
    command.environment["LC_ALL"] = "C.UTF-8"
    command.directory = folder.path
    command.output = .discarded
    let complaints = Complaints()
    command.errors = .lines { complaints.add($0) }
    switch try ended(command) {
    case .code(0):
      // The programs continue after what they do not understand, and a page would show less than it should.
      if let complaint = complaints.first { throw broken(field, "cannot be drawn whole: \(complaint)") }
    case .code(127): throw Self.missing(program[0])
    // Killed for its time, or by its bound on processor time.
    case .signal(9), .signal(24):
      let message = "\(field) takes more than \(seconds) seconds to be drawn: make it simpler"
      throw Refusal(.invalid, "takes_too_long", field: field, message)
    case let exit: throw broken(field, "cannot be drawn: \(complaints.first ?? "\(program[0]) \(exit)")")
    }
  }

  /// Starts a process, kills it after the time that it may take, and returns how it ended.
  private func ended(_ command: ChildCommand) throws -> ProcessExit {
    let result = BlockingQueue<Result<ProcessExit, ChildProcessError>>()
    // Detached from the pool, whose thread waits below.
    Task.detached { [patience] in
      do throws(ChildProcessError) {
        let process = try await ChildProcess.start(command)
        let deadline = Task {
          try await Task.sleep(for: patience)
          process.send(.kill)
        }
        let exit = await process.wait()
        deadline.cancel()
        _ = result.push(.success(exit))
      } catch {
        _ = result.push(.failure(error))
      }
    }
    guard let outcome = result.pop() else { preconditionFailure("the queue is never closed") }
    do throws(ChildProcessError) {
      return try outcome.get()
    } catch {
      throw Self.missing("prlimit")
    }
  }

  private func broken(_ field: String, _ finding: String) -> Refusal {
    Refusal(.invalid, "broken_asset", field: field, "\(field) \(finding)")
  }

  private static func missing(_ program: String) -> Refusal {
    let message = "kind is PDF, and '\(program)' cannot be started where ConsentService runs: install poppler-utils"
    return Refusal(.precondition, "no_page_drawer", field: "kind", message)
  }
}

/// Collects the first error that a program reports.
private final class Complaints: Sendable {
  private let found = Mutex<String?>(nil)

  var first: String? { found.withLock { $0 } }

  func add(_ line: String) {
    guard line.hasPrefix("Syntax Error") || line.hasPrefix("Internal Error") else { return }
    // The rest of the line may quote the file. Only the file's author sees it, in the refusal.
    let shown = String(line.unicodeScalars.filter { (32...126).contains($0.value) }.prefix(120).map(Character.init))
    found.withLock { if $0 == nil { $0 = shown } }
  }
}
