internal import ServiceKit

@main struct SignatureServiceMain {
  static func main() async {
    await Service.run("signature", "Captures signatures and renders them.", settings: SignatureSettings()) {
      settings, host in
      if settings[\.renderOnly] {
        try await SignatureProcess.serveRendering(settings, host)
      } else {
        try await SignatureProcess.serveAll(settings, host)
      }
    }
  }
}
