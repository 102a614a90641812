#if !FUZZING
internal import FuzzKit
internal import PDFFuzzTargets

@main struct Main {
  static func main() throws { try Replay.run(PDFTarget.self) }
}
#endif
