import ServiceKit

@main struct AssentMain {
  static func main() async {
    await Tool("assent", "Runs Assent on this machine and speaks with it.", [.up, .status, .keys, .render, .data]).run()
  }
}
