import Base
import Sealing
import Testing

/// Files of certificates, as people have them and as somebody makes them who means harm.
@Suite struct CertificateFileTests {
  private let one = Samples.authority.certificate
  private let other = Samples.lone.certificate

  private func text(_ certificate: Certificate) -> String { String(decoding: certificate.pem, as: UTF8.self) }

  private func list(_ text: String) -> [Certificate] { Certificate.list(pem: Array(text.utf8)) }

  @Test("certificates are read in order, whatever stands around them and however lines end")
  func forms() {
    let (first, second) = (text(one), text(other))
    let key = String(decoding: Samples.signer.pem, as: UTF8.self)
    #expect(list(first + second) == [one, other])
    #expect(list("Bag Attributes\n  friendlyName: a\n\(first)\(key)subject=a\n\(second)") == [one, other])
    #expect(list("\u{FEFF}\(first.replacing("\n", with: "\r\n"))") == [one])
    #expect(list(first.replacing("CERTIFICATE", with: "X509 CERTIFICATE")) == [one])
    #expect(list(first.split(separator: "\n").map { "  \($0) " }.joined(separator: "\n\n")) == [one])
    #expect(list(String(repeating: second, count: 101)).count == 100)
  }

  @Test("what is no certificate is left out: encrypted, cut, of another name, or not base64")
  func strangers() {
    let (first, second) = (text(one), text(other))
    let letters = first.split(separator: "\n").dropFirst().dropLast().joined(separator: "\n")
    let encrypted = "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,00112233445566778899AABBCCDDEEFF\n\n"
    for wrong in [
      first.replacing(letters, with: encrypted + letters), first.replacing(letters, with: "AAAA"),
      first.replacing(letters, with: "*"), first.replacing("CERTIFICATE", with: "TRUSTED CERTIFICATE"),
      first.replacing("END CERTIFICATE", with: "END KEY"), String(first.prefix(first.count / 2)) + "\n",
    ] {
      #expect(list(wrong + second) == [other], "\(wrong)")
    }
    for nothing in ["", "-----BEGIN CERTIFICATE-----", "-----BEGIN -----\n-----END -----", letters] {
      #expect(list(nothing) == [])
    }
  }

  @Test("a certificate with a very long name is read once, and not at all if it is larger than any that is issued")
  func longName() {
    let small = String(repeating: text(other), count: 99)
    let (long, tooLong) = (pem(ofName: 4000) + small, pem(ofName: 45_000) + small)
    var (all, some): ([Certificate], [Certificate]) = ([], [])
    let time = ContinuousClock().measure { (all, some) = (list(long), list(tooLong)) }
    #expect(all.count == 100 && all.first != other)
    #expect(some.count == 99)
    #expect(time < .seconds(10), "\(time)")
  }

  /// A certificate whose subject is called "a" so many times. Nobody signed it.
  private func pem(ofName count: Int) -> String {
    func element(_ tag: UInt8, _ parts: [UInt8]...) -> [UInt8] {
      let content = parts.flatMap(\.self)
      let length = [16, 8, 0].map { UInt8(content.count >> $0 & 255) }
      return [tag, 0x83] + length + content
    }
    let part: [UInt8] = [0x31, 10, 0x30, 8, 6, 3, 0x55, 4, 3, 12, 1, 0x61]
    let algorithm = element(0x30, [6, 8, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 4, 3, 2])
    let kind: [UInt8] = [6, 7, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 2, 1, 6, 8, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 3, 1, 7]
    let time = element(0x17, Array("260101000000Z".utf8))
    let content = element(
      0x30, [2, 1, 1], algorithm, [0x30, 0], element(0x30, time, time),
      element(0x30, Array(repeatElement(part, count: count).joined())), element(0x30, element(0x30, kind), [3, 1, 0]))
    let letters = Base64.encode(element(0x30, content, algorithm, [3, 1, 0]))
    return "-----BEGIN CERTIFICATE-----\n\(letters)\n-----END CERTIFICATE-----\n"
  }
}
