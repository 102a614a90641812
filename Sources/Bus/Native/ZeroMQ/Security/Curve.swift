internal import CZMQ
internal import Wire

extension CurveKeyPair {
  /// A new random pair.
  public static func generate() -> CurveKeyPair {
    var publicText = Self.blank
    var secretText = Self.blank
    let failure = unsafe zmq_curve_keypair(&publicText, &secretText)
    guard failure == 0, let publicKey = CurvePublicKey(text: text(publicText)),
      let secretKey = CurveSecretKey(text: text(secretText))
    else { preconditionFailure("this libzmq was built without CURVE") }
    return CurveKeyPair(publicKey: publicKey, secretKey: secretKey)
  }

  /// The pair that a secret key belongs to.
  init(secretKey: CurveSecretKey) {
    var publicText = Self.blank
    let failure = unsafe zmq_curve_public(&publicText, secretKey.text)
    guard failure == 0, let publicKey = CurvePublicKey(text: Self.text(publicText)) else {
      preconditionFailure("this libzmq was built without CURVE")
    }
    self.init(publicKey: publicKey, secretKey: secretKey)
  }

  /// Memory for 40 digits and the zero byte that ends them.
  private static var blank: [CChar] { [CChar](repeating: 0, count: 41) }

  private static func text(_ digits: [CChar]) -> String {
    String(decoding: digits.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
