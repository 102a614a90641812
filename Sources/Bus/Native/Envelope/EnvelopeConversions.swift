package import CBusWire
internal import CProtobufC
internal import RPC
package import Wire

/// Converts envelopes to protobuf-c's structs and back.
///
/// Written by hand and not generated, because an envelope is laid out for a router that handles a hundred thousand of
/// them a second: see docs/decisions/0010-envelopes.md.
extension Envelope: @unsafe NativeMessage {
  package typealias Native = Assent__Bus__V1__Envelope

  package static let table = unsafe MessageTable(Native.self, assent__bus__v1__envelope__init)

  package static var messageName: String { "assent.bus.v1.Envelope" }

  package init() { self.init(.unspecified) }

  /// Decodes with protobuf-c alone, so that the direct reader can be compared with it.
  package init(decodingFully bytes: Span<UInt8>, limits: DecodingLimits) throws(CodecError) {
    self = try unsafe BinaryCodec.decode(bytes, limits)
  }

  /// Encodes with protobuf-c alone, for fields that `writePlain` does not write.
  package func encodedFully() throws(CodecError) -> [UInt8] {
    try unsafe BinaryCodec.encode(self)
  }

  package init(decoding bytes: Span<UInt8>, limits: DecodingLimits) throws(CodecError) {
    var memory = EnvelopeMemory.none
    self.init(.unspecified)
    try decode(bytes, limits: limits, memory: &memory)
  }

  /// Reads into a fresh envelope, because returning one costs as much as reading it.
  ///
  /// - Parameter memory: method names and callers that were kept from earlier envelopes on the same link.
  mutating func decode(
    _ bytes: Span<UInt8>, limits: DecodingLimits, memory: inout EnvelopeMemory
  ) throws(CodecError) {
    if bytes.count <= limits.size, readPlain(bytes, memory: &memory) { return }
    self = try unsafe BinaryCodec.decode(bytes, limits)
  }

  package func encoded() throws(CodecError) -> [UInt8] {
    var bytes: [UInt8] = []
    if let count = writePlain(into: &bytes, payloadFollows: payloadFollows) { return Array(bytes.prefix(count)) }
    return try encodedFully()
  }

  package static func read(_ native: UnsafePointer<Native>, into target: UnsafeMutablePointer<Self>) {
    unsafe target.initialize(to: Self(native: native))
  }

  init(native: UnsafePointer<Native>) {
    unsafe self.init(Kind(rawValue: UInt8(clamping: native.pointee.type.rawValue)) ?? .unspecified)
    unsafe session = native.pointee.session
    unsafe call = native.pointee.call_id
    unsafe offset = native.pointee.offset
    unsafe credit = native.pointee.credit
    unsafe remainingMilliseconds = native.pointee.remaining_ms
    unsafe attempt = UInt8(clamping: native.pointee.attempt)
    unsafe carriesMessage = native.pointee.carries_message != 0
    unsafe payloadFollows = native.pointee.payload_follows != 0
    unsafe statusCode = StatusCode(wire: native.pointee.status_code)
    unsafe notStarted = native.pointee.not_started != 0
    unsafe method = FromNative.text(native.pointee.method)
    unsafe idempotencyKey = FromNative.text(native.pointee.idempotency_key)
    unsafe payload = FromNative.bytes(native.pointee.payload)
    unsafe extra = Extra(native: native)
  }

  package func fill(native: UnsafeMutablePointer<Native>, arena: inout Arena) {
    unsafe native.pointee.type = .init(rawValue: .init(kind.rawValue))
    unsafe native.pointee.session = session
    unsafe native.pointee.call_id = call
    unsafe native.pointee.offset = offset
    unsafe native.pointee.credit = credit
    unsafe native.pointee.remaining_ms = remainingMilliseconds
    unsafe native.pointee.attempt = UInt32(attempt)
    unsafe native.pointee.carries_message = carriesMessage ? 1 : 0
    unsafe native.pointee.payload_follows = payloadFollows ? 1 : 0
    unsafe native.pointee.status_code = UInt32(statusCode.rawValue)
    unsafe native.pointee.not_started = notStarted ? 1 : 0
    unsafe native.pointee.method = arena.text(method)
    if !payloadFollows { unsafe native.pointee.payload = arena.bytes(payload) }
    unsafe native.pointee.status_message = arena.text("")
    unsafe native.pointee.idempotency_key = arena.text(idempotencyKey)
    if let extra { unsafe extra.fill(native, &arena) }
  }
}

extension Envelope.Extra {
  /// nil when the envelope has none of the rarely used fields.
  convenience init?(native: UnsafePointer<Assent__Bus__V1__Envelope>) {
    let envelope = unsafe native.pointee
    let hasText = unsafe !isEmpty(envelope.status_message)
    let hasList = unsafe envelope.n_metadata > 0 || envelope.n_status_details > 0
    let hasMessage =
      unsafe envelope.caller != nil || envelope.hello != nil || envelope.hello_ack != nil || envelope.load != nil
    let isHello = unsafe envelope.type.rawValue == Envelope.Kind.hello.rawValue
    guard unsafe hasText || hasList || hasMessage || envelope.waits_for_ready != 0 else { return nil }
    var metadata = Metadata()
    for index in unsafe 0..<envelope.n_metadata {
      guard let entry = unsafe envelope.metadata[index] else { continue }
      unsafe metadata.appendUnchecked(
        key: FromNative.text(entry.pointee.key), value: FromNative.bytes(entry.pointee.value))
    }
    var details: [Status.Detail] = []
    for index in unsafe 0..<envelope.n_status_details {
      guard let detail = unsafe envelope.status_details[index] else { continue }
      unsafe details.append(
        Status.Detail(
          typeName: FromNative.text(detail.pointee.type_name), value: FromNative.bytes(detail.pointee.value)))
    }
    unsafe self.init(
      metadata: metadata,
      caller: envelope.caller.map { unsafe CallerIdentity(native: $0) },
      waitsForReady: envelope.waits_for_ready != 0, statusMessage: FromNative.text(envelope.status_message),
      statusDetails: details, hello: isHello ? envelope.hello.flatMap { unsafe Hello(native: $0) } : nil,
      helloAck: envelope.hello_ack.map { unsafe HelloAck(native: $0) },
      load: envelope.load.map { unsafe Load(native: $0) })
  }

  func fill(_ native: UnsafeMutablePointer<Assent__Bus__V1__Envelope>, _ arena: inout Arena) {
    unsafe native.pointee.n_metadata = metadata.entries.count
    unsafe native.pointee.metadata = arena.filled(
      metadata.entries, BusTables.metadataEntry, as: Assent__Bus__V1__MetadataEntry.self
    ) { entry, value, arena in
      unsafe entry.pointee.key = arena.text(value.key)
      unsafe entry.pointee.value = arena.bytes(value.value)
    }
    unsafe native.pointee.n_status_details = statusDetails.count
    unsafe native.pointee.status_details = arena.filled(
      statusDetails, BusTables.statusDetail, as: Assent__Bus__V1__StatusDetail.self
    ) { detail, value, arena in
      unsafe detail.pointee.type_name = arena.text(value.typeName)
      unsafe detail.pointee.value = arena.bytes(value.value)
    }
    unsafe native.pointee.status_message = arena.text(statusMessage)
    unsafe native.pointee.waits_for_ready = waitsForReady ? 1 : 0
    if let caller {
      unsafe native.pointee.caller = arena.filled(BusTables.caller, as: Assent__Bus__V1__Caller.self) { native, arena in
        unsafe caller.fill(native, &arena)
      }
    }
    if let hello {
      unsafe native.pointee.hello = arena.filled(BusTables.hello, as: Assent__Bus__V1__Hello.self) { native, arena in
        unsafe hello.fill(native, &arena)
      }
    }
    if let helloAck {
      unsafe native.pointee.hello_ack = arena.filled(
        BusTables.helloAck, as: Assent__Bus__V1__HelloAck.self
      ) { native, arena in
        unsafe native.pointee.session = helloAck.session
        unsafe native.pointee.gateway = arena.text(helloAck.gateway)
        unsafe native.pointee.version = helloAck.version
        unsafe native.pointee.ping_ms = helloAck.pingMilliseconds
      }
    }
    if let load {
      unsafe native.pointee.load = arena.filled(BusTables.load, as: Assent__Bus__V1__Load.self) { native, arena in
        unsafe native.pointee.busy = load.busy
        unsafe native.pointee.waiting = load.waiting
        unsafe native.pointee.progress = load.progress
        unsafe native.pointee.n_notices = load.notices.count
        unsafe native.pointee.notices = arena.texts(load.notices)
      }
    }
  }
}

private func isEmpty(_ text: UnsafeMutablePointer<CChar>?) -> Bool {
  guard let text = unsafe text else { return true }
  return unsafe text.pointee == 0
}
