import Base
import PDF
import Sealing
import TestSupport
import Testing

/// Signatures that other software makes, in forms that ours does not.
@Suite struct ForeignTests {
  /// Runs Python with keys and lists as files, named by `sys.argv`: out.pdf, in.pdf, then the given ones.
  private static func python(_ script: String, _ pdf: [UInt8], _ files: [[UInt8]] = []) async throws -> [UInt8] {
    let folder = try TemporaryFolder()
    let names = (0..<files.count).map { folder.file("file\($0)") }
    for (name, bytes) in zip(names, files) { try Files.write(bytes, to: name) }
    try Files.write(pdf, to: folder.file("in.pdf"))
    let said = try await Tool.run(
      Repository.python, ["-c", script, folder.file("out.pdf"), folder.file("in.pdf")] + names)
    #expect(said.hasPrefix("ended with 0"), "\(said)")
    let made = try Files.read(folder.file("out.pdf"))
    withExtendedLifetime(folder) {}
    return made
  }

  @Test(
    "what pyHanko makes of each level of PAdES is valid and of that level", arguments: ["B-B", "B-T", "B-LT", "B-LTA"])
  func levels(level: String) async throws {
    let now = Clock.system.now
    let list = KeyMaker.revocations(by: Samples.authority, at: now + .days(-1), until: now + .days(30))
    let script = """
      import sys
      from asn1crypto import crl, keys, pem, x509
      from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
      from pyhanko.sign import fields, signers, timestamps
      from pyhanko_certvalidator import ValidationContext
      from pyhanko_certvalidator.registry import SimpleCertificateStore
      level = "\(level)"
      def read(place):
          with open(sys.argv[place], "rb") as source: return source.read()
      root = x509.Certificate.load(pem.unarmor(read(3))[2])
      signer = signers.SimpleSigner.load_pkcs12(sys.argv[4], passphrase=b"x", other_certs=[root])
      clock = signers.SimpleSigner.load_pkcs12(sys.argv[5], passphrase=b"x")
      above = SimpleCertificateStore.from_certs([root])
      stamper = timestamps.DummyTimeStamper(clock.signing_cert, clock.signing_key, above)
      context = ValidationContext(
          trust_roots=[root], crls=[crl.CertificateList.load(read(6))], allow_fetching=False, revocation_mode="require",
          other_certs=[clock.signing_cert])
      proven = level in ("B-LT", "B-LTA")
      facts = signers.PdfSignatureMetadata(
          field_name="Sig1", subfilter=fields.SigSeedSubFilter.PADES, embed_validation_info=proven,
          use_pades_lta=level == "B-LTA", validation_context=context if proven else None)
      with open(sys.argv[2], "rb") as source, open(sys.argv[1], "wb") as target:
          signers.sign_pdf(
              IncrementalPdfFileWriter(source), facts, signer=signer, output=target,
              timestamper=None if level == "B-B" else stamper)
      """
    // Without metadata of its own: pyHanko would write that in other words with the proofs.
    var plain = RawPDF.page()
    plain.finish()
    let pdf = try await Self.python(
      script, plain.bytes,
      [
        Samples.authority.certificate.pem, Samples.signer.pkcs12(passphrase: "x"),
        Samples.rsaClock.pkcs12(passphrase: "x"), list,
      ])
    let report = DocumentVerifier(trusting: Trust(roots: [Samples.authority.certificate]), at: Clock.system.now)
      .verify(pdf)
    #expect(report.verdict == .passed, "\(report.lines)")
    #expect(report.signatures.first?.level?.rawValue == level, "\(report.lines)")
    let isProven = level == "B-LT" || level == "B-LTA"
    #expect(report.signatures.first?.revocation == (isProven ? .good : .notChecked), "\(report.lines)")
  }

  /// Takes the message out of a sealed file, alters what no signature covers, and puts it back.
  ///
  /// - Parameter isLast: whether it is the last signature's message; else the first's.
  private static func altered(
    _ how: String, _ pdf: [UInt8], _ extra: [[UInt8]] = [], isLast: Bool = false
  ) async throws -> [UInt8] {
    let script = """
      import sys
      from asn1crypto import cms, core, pem, x509
      def read(place):
          with open(sys.argv[place], "rb") as source: return source.read()
      pdf = read(2)
      start = pdf.\(isLast ? "rindex" : "index")(b"/Contents<") + 10
      end = pdf.index(b">", start)
      room = bytes.fromhex(pdf[start:end].decode())
      message = cms.ContentInfo.load(room, strict=False)
      data = message["content"]
      signer = data["signer_infos"][0]
      \(how.split(separator: "\n").joined(separator: "\n"))
      made = message.dump(force=True) if "made" not in globals() else made
      room = made + bytes(len(room) - len(made))
      with open(sys.argv[1], "wb") as target: target.write(pdf[:start] + room.hex().encode() + pdf[end:])
      """
    return try await python(script, pdf, extra)
  }

  @Test("attributes beside a signature that are no time stamp, and several of a kind, are no fault")
  func unsignedAttributes() async throws {
    let how = """
      extra = lambda name, value: cms.CMSAttribute({"type": name, "values": [core.OctetString(value)]})
      signer["unsigned_attrs"] = [extra("1.2.3.4", b"a"), extra("1.2.3.4", b"b"), extra("1.2.3.5", b"c")]
      """
    let report = Samples.verify(try await Self.altered(how, try await Samples.seal()))
    #expect(report.verdict == .passed && report.signatures[0].level == .basic, "\(report.lines)")
  }

  @Test("a signer who is named by the identifier of a key is found")
  func keyIdentifier() async throws {
    let how = """
      own = next(one.chosen for one in data["certificates"] if one.chosen.serial_number == 2)
      signer["sid"] = cms.SignerIdentifier("subject_key_identifier", own.key_identifier)
      signer["version"], data["version"] = "v3", "v3"
      """
    let pdf = try await Samples.seal()
    let report = Samples.verify(try await Self.altered(how, pdf))
    #expect(report.verdict == .passed, "\(report.lines)")
    let wrong = how.replacing("own.key_identifier", with: "bytes(20)")
    let other = Samples.verify(try await Self.altered(wrong, pdf))
    #expect(
      other.subindication == .noCertificate && other.lines.joined().contains("the signer's certificate is not in it"))
  }

  @Test("a certificate that comes along and has nothing to do with the signer does no harm; an altered one does")
  func strangers() async throws {
    let how = """
      der = bytearray(pem.unarmor(read(3))[2])
      data["certificates"].append(cms.CertificateChoices("certificate", x509.Certificate.load(bytes(der))))
      """
    let hidden = try Samples.make("Hidden Root", .authority, serial: 20)
    let stranger = try Samples.make("Stranger", .signing, serial: 21, issuer: hidden)
    let pdf = try await Samples.seal()
    let report = Samples.verify(try await Self.altered(how, pdf, [stranger.certificate.pem]))
    #expect(report.verdict == .passed, "\(report.lines)")
    let broken = how.replacing("\ndata", with: "\nder[-3] ^= 1\ndata")
    let altered = Samples.verify(try await Self.altered(broken, pdf, [Samples.second.certificate.pem]))
    #expect(altered.verdict == .indeterminate, "\(altered.lines)")
    #expect(altered.lines.joined().contains("which comes along, was altered"), "\(altered.lines)")
  }

  @Test("what one signature says of a certificate is not undone by another one that knows less of it")
  func strangersOfTwo() async throws {
    let how = """
      altered = bytearray(pem.unarmor(read(3))[2])
      altered[-3] ^= 1
      for der in [bytes(altered)] + [pem.unarmor(read(place))[2] for place in range(4, len(sys.argv))]:
          data["certificates"].append(cms.CertificateChoices("certificate", x509.Certificate.load(der)))
      """
    let hidden = try Samples.make("Hidden Root", .authority, serial: 22)
    let stranger = try Samples.make("Stranger", .signing, serial: 23, issuer: hidden).certificate.pem
    // Only the first signature, which is judged last, has the issuer as well.
    let once = try await Self.altered(how, try await Samples.seal(), [stranger, hidden.certificate.pem])
    let twice = try await Samples.seal(once, key: Samples.second)
    let report = Samples.verify(try await Self.altered(how, twice, [stranger], isLast: true))
    let trusted = report.signatures.map { $0.identity == .trusted }
    #expect(trusted == [false, true], "\(report.lines)")
    #expect(report.verdict == .indeterminate, "\(report.lines)")
    #expect(report.lines.joined().contains("which comes along, was altered"), "\(report.lines)")
  }

  @Test("a signature by a key for RSASSA-PSS says that it is one, or is broken", arguments: [true, false])
  func paddings(isNamed: Bool) async throws {
    let how = """
      import hashlib
      from asn1crypto import algos, tsp
      from cryptography.hazmat.primitives import hashes, serialization
      from cryptography.hazmat.primitives.asymmetric import padding
      key = serialization.load_pem_private_key(read(3), None)
      own = x509.Certificate.load(pem.unarmor(read(4))[2])
      signer["sid"] = cms.SignerIdentifier("issuer_and_serial_number", cms.IssuerAndSerialNumber(
          {"issuer": own.issuer, "serial_number": own.serial_number}))
      data["certificates"] = cms.CertificateSet([cms.CertificateChoices("certificate", own)])
      name = tsp.ESSCertIDv2({"cert_hash": hashlib.sha256(own.dump()).digest()})
      kept = [one for one in signer["signed_attrs"] if one["type"].native != "signing_certificate_v2"]
      signer["signed_attrs"] = cms.CMSAttributes(kept + [cms.CMSAttribute(
          {"type": "signing_certificate_v2", "values": [tsp.SigningCertificateV2({"certs": [name]})]})])
      salted = padding.PSS(padding.MGF1(hashes.SHA256()), 32)
      signer["signature"] = key.sign(cms.CMSAttributes(list(signer["signed_attrs"])).dump(), salted, hashes.SHA256())
      sha256 = {"algorithm": "sha256"}
      parameters = algos.RSASSAPSSParams({
          "hash_algorithm": sha256, "salt_length": 32,
          "mask_gen_algorithm": {"algorithm": "mgf1", "parameters": sha256}})
      signer["signature_algorithm"] = cms.SignedDigestAlgorithm(dict(
          \(isNamed ? "algorithm='rsassa_pss', parameters=parameters" : "algorithm='sha256_rsa'")))
      """
    let own = try await Tool.paddedKey()
    let pdf = try await Self.altered(how, try await Samples.seal(), [own.key, own.certificate])
    let trust = Trust(roots: Certificate.list(pem: own.certificate))
    let report = DocumentVerifier(trusting: trust, at: Clock.system.now + .seconds(5)).verify(pdf)
    #expect(report.verdict == (isNamed ? .passed : .failed), "\(report.lines)")
  }

  @Test("a message with an indefinite length is refused by its name")
  func indefinite() async throws {
    let how = """
      der = message.dump()
      made = b"\\x30\\x80" + der[4:] + b"\\x00\\x00"
      """
    let report = Samples.verify(try await Self.altered(how, try await Samples.seal()))
    #expect(report.verdict == .indeterminate)
    #expect(report.signatures[0].faults.count == 1, "\(report.lines)")
    #expect(report.lines.joined().contains("indefinite length, as BER has it"), "\(report.lines)")
  }

  @Test(
    "a list of revocations for a part of the certificates counts for those",
    arguments: [
      ("only_contains_user_certs=True", Level.longTerm), ("only_contains_ca_certs=True", .timed),
      ("full_name=[x509.UniformResourceIdentifier('http://a.example/l')]", .timed),
    ])
  func partialList(part: String, level: Level) async throws {
    let script = """
      import datetime, sys
      from cryptography import x509
      from cryptography.hazmat.primitives import hashes, serialization
      def read(place):
          with open(sys.argv[place], "rb") as source: return source.read()
      root = x509.load_pem_x509_certificate(read(3))
      key = serialization.load_pem_private_key(read(4), None)
      facts = dict(
          full_name=None, relative_name=None, only_contains_user_certs=False, only_contains_ca_certs=False,
          only_some_reasons=None, indirect_crl=False, only_contains_attribute_certs=False)
      facts.update(dict(\(part)))
      now = datetime.datetime.fromtimestamp(\(Samples.now.millisecondsSince1970 / 1000), datetime.timezone.utc)
      made = x509.CertificateRevocationListBuilder(
          issuer_name=root.subject, last_update=now, next_update=now + datetime.timedelta(days=30))
      made = made.add_extension(x509.IssuingDistributionPoint(**facts), critical=True).sign(key, hashes.SHA256())
      with open(sys.argv[1], "wb") as target: target.write(made.public_bytes(serialization.Encoding.DER))
      """
    let list = try await Self.python(script, [], [Samples.authority.certificate.pem, Samples.authority.pem])
    let timed = try await Samples.seal(stamper: Samples.stamper)
    let report = Samples.verify(try Sealer.addProofs(to: timed, certificates: [], lists: [list]))
    #expect(report.verdict == .passed, "\(report.lines)")
    #expect(report.signatures[0].level == level, "\(report.lines)")
    #expect(report.signatures[0].revocation == (level == .longTerm ? .good : .notChecked))
  }

  @Test(
    "who is vouched for by a weak key or by SHA-1 is not trusted",
    arguments: [
      (["rsa:1024", "-sha256"], "-sha256", "key too weak"),
      (["rsa:2048", "-sha256"], "-sha1", "digest algorithm too weak"),
    ])
  func weak(authority: [String], digest: String, words: String) async throws {
    let folder = try TemporaryFolder()
    let (root, rootKey) = (folder.file("root.pem"), folder.file("root.key"))
    let (own, key, request) = (folder.file("own.pem"), folder.file("own.key"), folder.file("own.csr"))
    try Files.write(Array("keyUsage=critical,digitalSignature\n".utf8), to: folder.file("extensions"))
    for arguments in [
      ["req", "-x509", "-nodes", "-newkey"] + authority + ["-subj", "/CN=Weak", "-keyout", rootKey, "-out", root],
      [
        "req", "-nodes", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-subj", "/CN=Signer", "-keyout", key,
        "-out", request,
      ],
      [
        "x509", "-req", digest, "-in", request, "-CA", root, "-CAkey", rootKey, "-CAcreateserial", "-extfile",
        folder.file("extensions"), "-out", own,
      ],
    ] {
      let said = try await Tool.run("openssl", arguments)
      #expect(said.hasPrefix("ended with 0"), "\(said)")
    }
    let now = Clock.system.now + .seconds(5)
    let sealed = try await Samples.sealer(try SealKey(pem: Files.read(key), certificates: Files.read(own)))
      .seal(Samples.document, at: now)
    let report = DocumentVerifier(trusting: Trust(roots: Certificate.list(pem: try Files.read(root))), at: now)
      .verify(sealed.bytes)
    #expect(report.verdict == .indeterminate, "\(report.lines)")
    #expect(report.lines.joined().contains(words), "\(report.lines)")
    withExtendedLifetime(folder) {}
  }
}
