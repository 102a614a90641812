internal import ServiceKit

@main struct SignatureServiceMain {
  static func main() async {
    await Service.run(
      "signature", "Captures signatures, renders them, and makes and seals documents.", settings: SignatureSettings()
    ) { settings, host in
      let kinds = [settings[\.renderOnly], settings[\.paperOnly], settings[\.sealOnly]]
      guard kinds.filter(\.self).count < 2 else {
        throw SealSetupError(description: "render-only, paper-only and seal-only exclude one another")
      }
      if settings[\.renderOnly] {
        try await SignatureProcess.serveRendering(settings, host)
      } else if settings[\.paperOnly] {
        try await SignatureProcess.servePapers(settings, host)
      } else if settings[\.sealOnly] {
        try await SignatureProcess.serveSeals(settings, host)
      } else {
        try await SignatureProcess.serveAll(settings, host)
      }
    }
  }
}
