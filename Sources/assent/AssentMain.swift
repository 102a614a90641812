import ServiceKit

@main struct AssentMain {
  static func main() async {
    let commands: [Command] = [.up, .status, .demo, .documents, .keys, .render, .data, .verify]
    await Tool("assent", "Runs Assent on this machine and asks it about its state.", commands).run()
  }
}
