import Base
import HTTPFace
import TestSupport
import Testing

extension TLSServer {
  /// A server for localhost with a certificate that vouches for itself.
  static func selfSigned() async throws -> TLSServer {
    let folder = try TemporaryFolder()
    let (certificate, key) = (folder.file("certificate"), folder.file("key"))
    let made = try await ChildProcess.output(
      of: ChildCommand(
        "openssl",
        [
          "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=localhost",
          "-days", "2", "-keyout", key, "-out", certificate,
        ]))
    try #require(made.exit.isSuccess, "\(made.lines)")
    let server = try TLSServer(certificate: Files.read(certificate), key: Files.read(key))
    withExtendedLifetime(folder) {}
    return server
  }
}
