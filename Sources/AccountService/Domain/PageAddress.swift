internal import Refusals

/// The pages of a gateway by which people sign in at a provider: no other address is where a browser is sent back to.
enum PageAddress {
  private static let paths = ["/app", "/console"]
  /// Hosts whose pages browsers trust without TLS.
  private static let ownMachine = ["localhost", "127.0.0.1", "[::1]"]

  static func check(_ text: String) throws(Refusal) {
    let isPage =
      text.utf8.count <= 500 && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
      && paths.contains { path in
        guard text.hasSuffix(path) else { return false }
        let origin = text.dropLast(path.utf8.count)
        if origin.hasPrefix("https://") { return isAuthority(origin.dropFirst(8)) }
        return origin.hasPrefix("http://") && isAuthority(origin.dropFirst(7))
          && ownMachine.contains { origin.dropFirst(7) == $0 || origin.dropFirst(7).hasPrefix("\($0):") }
      }
    guard isPage else {
      throw Refusal(
        .invalid, "bad_page", field: "page", "page must be the whole address of /app or /console at a gateway, by https"
      )
    }
  }

  /// Whether a text is a host with or without a port, and nothing that a browser would read otherwise.
  private static func isAuthority(_ text: Substring) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { !Array("/?#@\\%".utf8).contains($0) }
  }
}
