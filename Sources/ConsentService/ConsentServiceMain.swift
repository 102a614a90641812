import ServiceKit

@main struct ConsentServiceMain {
  static func main() async {
    await Service.run("consent", "Keeps consent documents, flows and records.", settings: NoSettings()) { _, _ in }
  }
}
