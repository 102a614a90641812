package import Base

/// Serves what `scripts/build-web` makes: pages, and the modules and style sheets that they need.
///
/// A page `c/index.html` is found at `/c`. All of it is read when the gateway starts. Modules and style sheets have a
/// hash of their content in their names, so browsers keep them for ever; pages are asked for anew each time, and so is
/// the service worker `app-worker.js` of a page `app`, which browsers know by its name.
package struct WebFiles: Sendable {
  private struct File: Sendable {
    let type: String
    let bytes: [UInt8]
    let compressed: [UInt8]?
    let tag: String
    let isPage: Bool
    /// Whether its name stays the same when its content changes.
    let changes: Bool
  }

  private let files: [String: File]
  /// The public keys that pages verify evidence with.
  let evidenceKeys: [String]

  private static let worker = "-worker.js"

  private static let types = [
    "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml", "png": "image/png", "webmanifest": "application/manifest+json",
  ]

  /// - Parameter folder: what `scripts/build-web` has made.
  package init(in folder: String, evidenceKeys: [String] = []) throws(FileError) {
    var files: [String: File] = [:]
    for name in try Files.names(in: folder) {
      guard let file = try Self.file(name, in: folder) else {
        let page = "\(folder)/\(name)"
        if Files.exists("\(page)/index.html") { files["/\(name)"] = try Self.file("index.html", in: page) }
        continue
      }
      files["/\(name)"] = file
    }
    self.files = files
    self.evidenceKeys = evidenceKeys
  }

  package var hasPages: Bool { files.values.contains(where: \.isPage) }

  /// Where a module is found by its plain name: `verify` is at `/verify-ABCDEFGH.js`.
  func module(_ name: String) -> String? {
    files.keys.first { $0.hasPrefix("/\(name)-") && $0.hasSuffix(".js") }
  }

  /// nil for what is no file to be served.
  private static func file(_ name: String, in folder: String) throws(FileError) -> File? {
    guard let end = name.split(separator: ".").last, let type = types[String(end)] else { return nil }
    let path = "\(folder)/\(name)"
    let bytes = try Files.read(path)
    let compressed = Files.exists("\(path).gz") ? try Files.read("\(path).gz") : nil
    return File(
      type: type, bytes: bytes, compressed: compressed, tag: Validator.tag(of: bytes), isPage: end == "html",
      changes: end == "html" || name.hasSuffix(worker))
  }

  /// nil for a path at which there is none.
  func response(to head: RequestHead) -> HTTPResponse? {
    guard let file = files[head.path] else { return nil }
    guard head.method == "GET" || head.method == "HEAD" else {
      return HTTPResponse(405, text: "use GET", [("allow", "GET, HEAD")])
    }
    var response = HTTPResponse(200, [("content-type", file.type)], body: .bytes(file.bytes))
    var tag = file.tag
    if let compressed = file.compressed {
      response.headers.append(("vary", "Accept-Encoding"))
      if head.lists("gzip", in: "accept-encoding") {
        response.body = .bytes(compressed)
        response.headers.append(("content-encoding", "gzip"))
        tag = "\(tag.dropLast())-gzip\""
      }
    }
    response.headers += Self.always
    if file.isPage {
      response.headers += Self.ofPages + [("content-security-policy", policy(of: head.path))]
    }
    if !file.changes { response.headers.append(("cache-control", "public, max-age=31536000, immutable")) }
    Validator.apply(to: &response, head, tag: tag)
    return response
  }

  private static let always: [(name: String, value: String)] = [
    ("cross-origin-resource-policy", "same-origin"), ("referrer-policy", "no-referrer"),
    ("x-content-type-options", "nosniff"),
  ]

  private static let ofPages: [(name: String, value: String)] = [
    ("cross-origin-opener-policy", "same-origin"), ("x-frame-options", "DENY"),
    ("permissions-policy", "camera=(self), microphone=(), geolocation=()"),
  ]

  /// Nothing runs and nothing is styled but by the gateway's own files; no page frames another, and no text becomes
  /// markup. Pictures come as bytes of calls. A page with a worker has one policy of trusted types, which lets that
  /// worker's address through and nothing else.
  private func policy(of path: String) -> String {
    let trusted = files["\(path)\(Self.worker)"] == nil ? "'none'" : "assent-worker"
    return (Self.policy + ["trusted-types \(trusted)"]).joined(separator: "; ")
  }

  private static let policy = [
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' blob:", "media-src blob:",
    "connect-src 'self'", "manifest-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ]
}
