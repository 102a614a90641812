internal import Base
internal import FuzzTargets

#if !FUZZING
/// The fuzz target without libFuzzer.
@main struct Replay {
  private static let help = """
    usage: codec-fuzz --seeds FOLDER   writes the inputs to begin with
           codec-fuzz FILE…            runs inputs that were found earlier
    """

  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard let first = arguments.first, first != "--help", first != "-h" else { return print(help) }
    if first == "--seeds", arguments.count == 2 {
      try Files.makeFolder(arguments[1])
      for (index, seed) in CodecTarget.seeds().enumerated() {
        try Files.write(seed, to: "\(arguments[1])/seed-\(index)")
      }
      return
    }
    for path in arguments { print("\(path): \(outcome(of: path))") }
  }

  private static func outcome(of path: String) -> String {
    do throws(FileError) {
      return CodecTarget.complaint(about: try Files.read(path)) ?? "holds"
    } catch {
      return "\(error)"
    }
  }
}
#endif
