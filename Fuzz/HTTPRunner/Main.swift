#if !FUZZING
internal import FuzzKit
internal import HTTPFuzzTargets

@main struct Main {
  static func main() throws { try Replay.run(HTTPTarget.self) }
}
#endif
