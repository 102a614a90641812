internal import InteropContract
internal import Wire

/// The messages that every contender encodes and decodes.
enum Fixtures {
  /// 756 bytes: the size of a record with some text, numbers, times and a list of parts.
  static let mixed: MixedMessage = {
    let items = (1...4).map { index in
      MixedMessage.Item(
        id: "item-000\(index)", title: "Part \(index) of what was agreed on", count: UInt32(index * 100),
        enabled: index.isMultiple(of: 2), kind: .second,
        position: MixedMessage.Point(x: Float(index) * 1.25, y: 17.5, timeMs: Int32(index) * -40),
        createdAt: Timestamp(seconds: 1_700_000_000 + Int64(index), nanos: 120_000_000))
    }
    return MixedMessage(
      id: "consent-2026-000417", title: "Consent to take part in the study of the heart",
      text: "The participant has read the document and agrees to all that is said in it, and until further notice.",
      digest: (0..<32).map { UInt8($0 * 7 & 0xff) }, kind: .first, revision: 1 << 40, pages: 70_000, offset: -300,
      session: 0xdead_beef_cafe, share: 0.1, active: true, createdAt: Timestamp(seconds: 1_700_000_000, nanos: 5),
      validity: ProtobufDuration(seconds: 31_536_000), roles: ["participant", "investigator of the study", "witness"],
      marks: (0..<16).map { Int32($0 * 37) }, values: (0..<8).map { Double($0) * 0.25 },
      items: Array(items.dropFirst()), cover: items[0], owner: .person("Share with qualified researchers"))
  }()

  /// 10,000 numbers, packed.
  static let packed = PackedFloats(values: (0..<10_000).map { Float($0) * 0.5 })
}
