#if !FUZZING
internal import FuzzKit
internal import CodecFuzzTargets

@main struct Main {
  static func main() throws { try Replay.run(CodecTarget.self) }
}
#endif
