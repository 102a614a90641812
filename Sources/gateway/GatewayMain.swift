import ServiceKit

@main struct GatewayMain {
  static func main() async {
    await Service.run("gateway", "Routes calls between clients and services.", settings: NoSettings()) { _, _ in }
  }
}
