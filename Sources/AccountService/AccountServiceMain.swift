import ServiceKit

@main struct AccountServiceMain {
  static func main() async {
    await Service.run("account", "Keeps accounts on shared devices and their data in step.", settings: NoSettings()) {
      _, _ in
    }
  }
}
