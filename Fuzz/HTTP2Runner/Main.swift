#if !FUZZING
internal import FuzzKit
internal import HTTP2FuzzTargets

@main struct Main {
  static func main() throws { try Replay.run(HTTP2Target.self) }
}
#endif
