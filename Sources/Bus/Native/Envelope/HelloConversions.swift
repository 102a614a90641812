internal import CBusWire
internal import CProtobufC
internal import RPC
internal import Wire

/// protobuf-c's descriptions of the messages inside an envelope.
enum BusTables {
  static let metadataEntry = unsafe MessageTable(
    Assent__Bus__V1__MetadataEntry.self, assent__bus__v1__metadata_entry__init)
  static let statusDetail = unsafe MessageTable(
    Assent__Bus__V1__StatusDetail.self, assent__bus__v1__status_detail__init)
  static let caller = unsafe MessageTable(Assent__Bus__V1__Caller.self, assent__bus__v1__caller__init)
  static let hello = unsafe MessageTable(Assent__Bus__V1__Hello.self, assent__bus__v1__hello__init)
  static let helloAck = unsafe MessageTable(Assent__Bus__V1__HelloAck.self, assent__bus__v1__hello_ack__init)
  static let load = unsafe MessageTable(Assent__Bus__V1__Load.self, assent__bus__v1__load__init)
  static let service = unsafe MessageTable(Assent__Bus__V1__ServiceOffer.self, assent__bus__v1__service_offer__init)
  static let method = unsafe MessageTable(Assent__Bus__V1__MethodOffer.self, assent__bus__v1__method_offer__init)
}

extension CallerIdentity {
  init(native: UnsafeMutablePointer<Assent__Bus__V1__Caller>) {
    let caller = unsafe native.pointee
    unsafe self.init(
      kind: CallerKind(number: caller.kind.rawValue) ?? .stranger,
      tenant: FromNative.text(caller.tenant), subject: FromNative.text(caller.subject),
      device: FromNative.text(caller.device), grants: FromNative.texts(caller.grants, caller.n_grants))
  }

  func fill(_ native: UnsafeMutablePointer<Assent__Bus__V1__Caller>, _ arena: inout Arena) {
    unsafe native.pointee.kind = .init(rawValue: .init(kind.number))
    unsafe native.pointee.tenant = arena.text(tenant)
    unsafe native.pointee.subject = arena.text(subject)
    unsafe native.pointee.device = arena.text(device)
    unsafe native.pointee.n_grants = grants.count
    unsafe native.pointee.grants = arena.texts(grants)
  }
}

extension Hello {
  /// nil when it states no role that is known here.
  init?(native: UnsafeMutablePointer<Assent__Bus__V1__Hello>) {
    let hello = unsafe native.pointee
    guard let role = unsafe Role(rawValue: UInt8(clamping: hello.role.rawValue)) else { return nil }
    unsafe self.init(instance: FromNative.text(hello.instance), epoch: hello.epoch, role: role)
    unsafe link = hello.link
    unsafe oldestVersion = hello.oldest_version
    unsafe newestVersion = hello.newest_version
    unsafe slots = hello.slots
    unsafe prefetch = hello.prefetch
    unsafe largestMessage = hello.largest_message
    unsafe version = FromNative.text(hello.version)
    unsafe address = FromNative.text(hello.address)
    guard role == .worker else { return }
    for index in unsafe 0..<hello.n_services {
      if let service = unsafe hello.services[index] { unsafe services.append(ServiceOffer(native: service)) }
    }
  }

  func fill(_ native: UnsafeMutablePointer<Assent__Bus__V1__Hello>, _ arena: inout Arena) {
    unsafe native.pointee.role = .init(rawValue: .init(role.rawValue))
    unsafe native.pointee.instance = arena.text(instance)
    unsafe native.pointee.epoch = epoch
    unsafe native.pointee.link = link
    unsafe native.pointee.oldest_version = oldestVersion
    unsafe native.pointee.newest_version = newestVersion
    unsafe native.pointee.slots = slots
    unsafe native.pointee.prefetch = prefetch
    unsafe native.pointee.largest_message = largestMessage
    unsafe native.pointee.version = arena.text(version)
    unsafe native.pointee.address = arena.text(address)
    unsafe native.pointee.n_services = services.count
    unsafe native.pointee.services = arena.filled(
      services, BusTables.service, as: Assent__Bus__V1__ServiceOffer.self
    ) { native, service, arena in unsafe service.fill(native, &arena) }
  }
}

extension Hello.ServiceOffer {
  init(native: UnsafeMutablePointer<Assent__Bus__V1__ServiceOffer>) {
    let offer = unsafe native.pointee
    let name = unsafe FromNative.text(offer.name)
    unsafe self.init(name: name, contractHash: FromNative.bytes(offer.contract_hash), methods: [])
    // A gateway refuses such a name, so the methods are not read: each method's path would contain the name, and a
    // HELLO of 100 KB would become 500 MB.
    guard BusLimits.nameLengths.contains(name.utf8.count) else { return }
    for index in unsafe 0..<offer.n_methods {
      guard let method = unsafe offer.methods[index]?.pointee,
        let kind = unsafe MethodDescriptor.Kind(wire: method.kind.rawValue)
      else { continue }
      unsafe methods.append(
        MethodDescriptor(
          service: name, name: FromNative.text(method.name), kind: kind,
          idempotency: MethodDescriptor.Idempotency(wire: method.idempotency.rawValue),
          permissions: MethodPermission.roles(FromNative.texts(method.roles, method.n_roles))))
    }
  }

  func fill(_ native: UnsafeMutablePointer<Assent__Bus__V1__ServiceOffer>, _ arena: inout Arena) {
    unsafe native.pointee.name = arena.text(name)
    unsafe native.pointee.contract_hash = arena.bytes(contractHash)
    unsafe native.pointee.n_methods = methods.count
    unsafe native.pointee.methods = arena.filled(
      methods, BusTables.method, as: Assent__Bus__V1__MethodOffer.self
    ) { native, method, arena in
      unsafe native.pointee.name = arena.text(method.name)
      unsafe native.pointee.kind = .init(rawValue: .init(method.kind.wire))
      unsafe native.pointee.idempotency = .init(rawValue: .init(method.idempotency.wire))
      let roles = method.roles.words
      unsafe native.pointee.n_roles = roles.count
      unsafe native.pointee.roles = arena.texts(roles)
    }
  }
}

extension MethodPermission {
  /// The roles that an offer names. One that is not known here admits nobody.
  fileprivate static func roles(_ words: [String]) -> [MethodPermission] {
    let known = words.compactMap(Role.init(rawValue:))
    return known.isEmpty ? [] : [MethodPermission(known)]
  }
}

extension HelloAck {
  init(native: UnsafeMutablePointer<Assent__Bus__V1__HelloAck>) {
    unsafe self.init(
      session: native.pointee.session, gateway: FromNative.text(native.pointee.gateway),
      version: native.pointee.version, pingMilliseconds: native.pointee.ping_ms)
  }
}

extension Load {
  init(native: UnsafeMutablePointer<Assent__Bus__V1__Load>) {
    unsafe self.init(
      busy: native.pointee.busy, waiting: native.pointee.waiting, progress: native.pointee.progress,
      notices: FromNative.texts(native.pointee.notices, native.pointee.n_notices))
  }
}

extension MethodDescriptor.Kind {
  fileprivate init?(wire: UInt32) {
    guard let kind = Self.allCases.first(where: { $0.wire == wire }) else { return nil }
    self = kind
  }

  fileprivate var wire: UInt32 {
    switch self {
    case .unary: 1
    case .clientStreaming: 2
    case .serverStreaming: 3
    case .bidirectionalStreaming: 4
    }
  }
}

extension MethodDescriptor.Idempotency {
  fileprivate init(wire: UInt32) {
    self = Self.allCases.first { $0.wire == wire } ?? .unknown
  }

  fileprivate var wire: UInt32 {
    switch self {
    case .unknown: 0
    case .noSideEffects: 1
    case .idempotent: 2
    }
  }
}
