import ServiceKit

@main struct SignatureServiceMain {
  static func main() async {
    await Service.run("signature", "Captures signatures and renders them.", settings: NoSettings()) { _, _ in }
  }
}
