internal import Base
internal import FuzzTargets

#if !FUZZING
/// codec-fuzz --seeds FOLDER      writes the inputs to begin with
/// codec-fuzz FILE…               runs inputs that were found earlier
@main struct Replay {
  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.first == "--seeds", arguments.count == 2 {
      try Files.makeFolder(arguments[1])
      for (index, seed) in CodecTarget.seeds().enumerated() {
        try Files.write(seed, to: "\(arguments[1])/seed-\(index)")
      }
      return
    }
    for path in arguments { print("\(path): \(CodecTarget.complaint(about: try Files.read(path)) ?? "holds")") }
  }
}
#endif
