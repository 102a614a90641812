/// The options of a part on the command line: `--rounds N`, and those that the part itself reads.
public struct Options: Sendable {
  private let words: [String]

  public init(_ words: [String] = Array(CommandLine.arguments.dropFirst())) {
    self.words = words
    guard words.contains("--help") || words.contains("-h") else { return }
    print("scripts/bench PART --help tells what this part measures and which options it knows.")
    exitWithSuccess()
  }

  /// The word after `--name`.
  public func text(_ name: String) -> String? {
    guard let index = words.firstIndex(of: "--\(name)"), index + 1 < words.count else { return nil }
    return words[index + 1]
  }

  public func number(_ name: String, default fallback: Int) -> Int {
    text(name).flatMap { Int($0) } ?? fallback
  }

  public func has(_ name: String) -> Bool {
    words.contains("--\(name)")
  }
}
