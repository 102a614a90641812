#if !FUZZING
internal import FuzzKit
internal import InkFuzzTargets

@main struct Main {
  static func main() throws { try Replay.run(InkTarget.self) }
}
#endif
