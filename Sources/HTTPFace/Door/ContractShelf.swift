internal import Face

/// The contract for those who write clients: `/proto` lists its files, `/proto/…` gives each, and `/proto/assent.binpb`
/// all of them as a descriptor set.
struct ContractShelf {
  private let files: [String: [UInt8]]
  private let set: [UInt8]

  init(descriptorSet: [UInt8]) {
    set = descriptorSet
    files = Dictionary(uniqueKeysWithValues: EmbeddedDescriptors.files.map { ($0.name, $0.bytes) })
  }

  static func has(_ path: String) -> Bool { path == "/proto" || path.hasPrefix("/proto/") }

  func response(to head: RequestHead) -> HTTPResponse {
    guard head.method == "GET" || head.method == "HEAD" else {
      return HTTPResponse(405, text: "use GET", [("allow", "GET, HEAD")])
    }
    let name = String(head.path.dropFirst("/proto/".count))
    var response: HTTPResponse
    if name.isEmpty {
      response = HTTPResponse(200, text: (["assent.binpb"] + files.keys.sorted()).joined(separator: "\n"))
    } else if name == "assent.binpb" {
      response = HTTPResponse(
        200,
        [
          ("content-type", "application/octet-stream"),
          ("content-disposition", "attachment; filename=\"assent.binpb\""),
        ], body: .bytes(set))
    } else if let bytes = files[name] {
      response = HTTPResponse(200, [("content-type", "text/plain; charset=utf-8")], body: .bytes(bytes))
    } else {
      return HTTPResponse(404, text: "the contract has no such file; /proto lists them")
    }
    Validator.apply(to: &response, head)
    return response
  }
}
