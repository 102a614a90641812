#if !FUZZING
internal import FuzzKit
internal import TokenFuzzTargets

@main struct Main {
  static func main() throws { try Replay.run(TokenTarget.self) }
}
#endif
