import Base
import TestSupport
import Testing

/// What a program has sent to the disk. What it only wrote is gone after a power cut, and is taken away here.
struct PowerCut {
  private let library: String
  private let log: String

  struct Step: Sendable {
    enum Kind: String, Sendable {
      case synced, cut, renamed
    }

    let kind: Kind
    let size: Int
    let path: String

    var name: String { path.split(separator: "/").last.map(String.init) ?? "" }

    fileprivate init?(_ line: Substring) {
      let words = line.split(separator: " ", maxSplits: 2)
      guard words.count == 3, let kind = Kind(rawValue: String(words[0])), let size = Int(words[1]) else { return nil }
      (self.kind, self.size, path) = (kind, size, String(words[2]))
    }
  }

  init(in folder: TemporaryFolder) async throws {
    library = try await PreloadedLibrary.compile("disk/synced.c", in: folder)
    log = folder.file("synced")
  }

  /// For the program whose steps are to be known.
  var environment: [String: String?] { ["LD_PRELOAD": library, "SYNC_LOG": log] }

  /// In their order.
  var steps: [Step] {
    get throws {
      String(decoding: try Files.read(log), as: UTF8.self).split(separator: "\n").compactMap { Step($0) }
    }
  }

  /// Cuts a file back to what had reached the disk when the program was killed.
  func strike(_ path: String) async throws {
    var size = 0
    for step in try steps where path.hasSuffix("/\(step.name)") {
      switch step.kind {
      case .synced: size = step.size
      case .cut: size = min(size, step.size)
      case .renamed: continue
      }
    }
    guard Files.exists(path), try Files.read(path).count > size else { return }
    let cut = try await ChildProcess.output(of: ChildCommand("truncate", ["-s", "\(size)", path]))
    try #require(cut.exit.isSuccess)
  }
}
