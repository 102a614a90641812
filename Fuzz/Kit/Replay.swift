internal import Base

/// A fuzz target without libFuzzer: the main function of its program in an ordinary build.
public enum Replay {
  private static let help = """
    usage: --seeds FOLDER   writes the inputs to begin with
           FILE…            runs inputs that were found earlier
    """

  public static func run<Target: FuzzTarget>(_ target: Target.Type) throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard let first = arguments.first, first != "--help", first != "-h" else { return print(help) }
    if first == "--seeds", arguments.count == 2 {
      try Files.makeFolder(arguments[1])
      for (index, seed) in Target.seeds().enumerated() {
        try Files.write(seed, to: "\(arguments[1])/seed-\(index)")
      }
      return
    }
    for path in arguments { print("\(path): \(outcome(of: path, target))") }
  }

  private static func outcome<Target: FuzzTarget>(of path: String, _: Target.Type) -> String {
    do throws(FileError) {
      return Target.complaint(about: try Files.read(path)) ?? "holds"
    } catch {
      return "\(error)"
    }
  }
}
