#if !FUZZING
internal import FuzzKit
internal import MarkupFuzzTargets

@main struct Main {
  static func main() throws { try Replay.run(MarkupTarget.self) }
}
#endif
