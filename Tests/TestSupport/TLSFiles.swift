package import Base
import Testing

/// A certificate for 127.0.0.1 and localhost that vouches for itself, and its key, as PEM.
package struct TLSFiles: Sendable {
  package let certificate: String
  package let key: String

  package static func make(in folder: TemporaryFolder) async throws -> TLSFiles {
    let files = TLSFiles(certificate: folder.file("tls.crt"), key: folder.file("tls.key"))
    var command = ChildCommand(
      "openssl",
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj",
        "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost", "-keyout", files.key, "-out",
        files.certificate,
      ])
    command.errors = .discarded
    let (exit, lines) = try await ChildProcess.output(of: command)
    try #require(exit.isSuccess, "\(lines)")
    try Files.makePrivate(files.key)
    return files
  }
}
