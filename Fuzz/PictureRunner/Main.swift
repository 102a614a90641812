#if !FUZZING
internal import FuzzKit
internal import PictureFuzzTargets

@main struct Main {
  static func main() throws { try Replay.run(PictureTarget.self) }
}
#endif
