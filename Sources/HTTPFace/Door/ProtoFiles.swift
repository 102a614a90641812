internal import Face

/// Serves the contract to those who write clients: `/proto` lists its files, `/proto/…` is each of them, and
/// `/proto/assent.binpb` is the whole contract as a descriptor set.
struct ProtoFiles {
  /// A file. It never changes while the process runs, and is hashed when it is first requested.
  private final class File {
    let bytes: [UInt8]
    lazy var tag = Validator.tag(of: bytes)

    init(_ bytes: [UInt8]) {
      self.bytes = bytes
    }
  }

  private let files: [String: File]
  private let list: File
  private let set: File

  init(descriptorSet: [UInt8]) {
    set = File(descriptorSet)
    files = Dictionary(uniqueKeysWithValues: EmbeddedDescriptors.files.map { ($0.name, File($0.bytes)) })
    list = File(Array((([Self.setName] + files.keys.sorted()).joined(separator: "\n") + "\n").utf8))
  }

  private static let setName = "assent.binpb"

  static func has(_ path: String) -> Bool { path == "/proto" || path.hasPrefix("/proto/") }

  func response(to head: RequestHead) -> HTTPResponse {
    guard head.method == "GET" || head.method == "HEAD" else {
      return HTTPResponse(405, text: "use GET", [("allow", "GET, HEAD")])
    }
    let name = String(head.path.dropFirst("/proto/".count))
    let isSet = name == Self.setName
    guard let file = name.isEmpty ? list : isSet ? set : files[name] else {
      return HTTPResponse(404, text: "the contract has no such file; /proto lists them")
    }
    var response = HTTPResponse(200, body: .bytes(file.bytes))
    if isSet {
      response.headers = [
        ("content-type", "application/octet-stream"),
        ("content-disposition", "attachment; filename=\"\(Self.setName)\""),
      ]
    } else {
      response.headers = [("content-type", "text/plain; charset=utf-8")]
    }
    Validator.apply(to: &response, head, tag: file.tag)
    return response
  }
}
