import Base
import Sealing
import TestSupport
import Testing

/// Keys as people have them.
@Suite struct KeyTests {
  @Test("a key is read from PEM and from PKCS#12, with its chain")
  func forms() async throws {
    let pem = Samples.signer.pem + Samples.signer.certificate.pem + Samples.authority.certificate.pem
    let one = try SealKey(pem: pem)
    #expect(one.certificate == Samples.signer.certificate)
    #expect(one.chain == [Samples.authority.certificate])
    let other = try SealKey(pkcs12: Samples.lone.pkcs12(passphrase: "secret"), passphrase: "secret")
    #expect(other.certificate == Samples.lone.certificate)
    let report = Samples.verify(try await Samples.seal(key: other), trusting: [Samples.lone.certificate])
    #expect(report.verdict == .passed)
  }

  @Test("a wrong passphrase, a foreign certificate and bytes that are no key are named")
  func faults() throws {
    let cases: [(String, () throws -> SealKey)] = [
      ("passphrase is wrong", { try SealKey(pkcs12: Samples.lone.pkcs12(passphrase: "secret"), passphrase: "other") }),
      ("no certificate belongs", { try SealKey(pem: Samples.signer.pem, certificates: Samples.lone.certificate.pem) }),
      ("no private key in PEM", { try SealKey(pem: Array("hello".utf8)) }),
    ]
    for (words, make) in cases {
      let error = #expect(throws: SealingError.self) { _ = try make() }
      #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    }
  }

  @Test("a key for RSASSA-PSS alone is refused: others would look for another padding than it signs with")
  func paddings() async throws {
    let own = try await Tool.paddedKey()
    let error = #expect(throws: SealingError.self) { try SealKey(pem: own.key, certificates: own.certificate) }
    #expect(error?.description.contains("one for RSASSA-PSS is not taken") == true, "\(error?.description ?? "")")
  }

  @Test("a key signs within its certificate's time only")
  func validity() async throws {
    for (from, until, words) in [
      (Samples.now + .days(-20), Samples.now + .days(-1), "expired at"),
      (Samples.now + .days(1), Samples.now + .days(20), "is not valid before"),
    ] {
      let key = try Samples.make("Old", .signing, serial: 9, from: from, until: until)
      let error = await #expect(throws: SealingError.self) { try await Samples.seal(key: key) }
      #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    }
  }
}
