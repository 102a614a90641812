internal import Base
internal import RPC

/// The services that a router knows. Their names come from peers, so each key has a bounded number of them, and unused
/// ones are removed.
extension Router {
  /// Throws when a service or a method has a name that is too long, or none.
  func checkNames(in offers: [Hello.ServiceOffer]) throws(Status) {
    try check(offers.map(\.name), are: "service")
    for service in offers { try check(service.methods.map(\.name), are: "method") }
  }

  /// Throws when a key would make the router know more services, or more methods of one, than it may.
  mutating func checkServices(of hello: Hello, by credentials: PeerCredentials, at now: MonotonicTime) throws(Status) {
    let limit = configuration.serviceLimitPerKey
    let offered = hello.services.map(\.name)
    try checkMethods(of: hello.services)
    let isNew = { (name: String) in self.serviceIndex[name].map { self.services[$0].announcer != credentials } ?? true }
    let new = Set(offered).filter(isNew).count
    let known = services.indices.filter { services[$0].announcer == credentials }
    var left = known.count
    for service in known.sorted(by: { leftBefore($0, $1) }) where left + new > limit {
      if forgetIfUnused(service, at: now) { left -= 1 }
    }
    guard left + new <= limit, services.count - freeServices.count + new <= configuration.serviceLimit else {
      throw Status(.resourceExhausted, "this gateway knows \(left) services of this key and takes at most \(limit)")
    }
  }

  private func check(_ names: [String], are what: String) throws(Status) {
    let lengths = BusLimits.nameLengths
    guard let name = names.first(where: { !lengths.contains($0.utf8.count) }) else { return }
    throw Status(
      .invalidArgument,
      "the name of a \(what) has \(name.utf8.count) bytes; it must have \(lengths.lowerBound) to \(lengths.upperBound)")
  }

  /// Throws when a service would have more methods than the router keeps. While a worker serves it, the methods of all
  /// its workers are kept, so what is offered adds to them.
  private mutating func checkMethods(of offers: [Hello.ServiceOffer]) throws(Status) {
    var added: [String: Set<String>] = [:]
    for method in offers.flatMap({ offer in offer.methods.filter { $0.service == offer.name } }) {
      added[method.service, default: []].insert(method.path)
    }
    for (name, paths) in added {
      var (kept, new) = (0, paths.count)
      if let service = serviceIndex[name], !services[service].workers.isEmpty {
        kept = methods.count(ofService: service)
        for path in paths where methods.place(of: path) != nil { new -= 1 }
      }
      guard kept + new > configuration.methodLimitPerService else { continue }
      throw Status(
        .resourceExhausted,
        "\(name) would have \(kept + new) methods; this gateway takes at most \(configuration.methodLimitPerService)")
    }
  }

  private func leftBefore(_ left: Int, _ right: Int) -> Bool {
    let (left, right) = (services[left].lastWorkerLeft, services[right].lastWorkerLeft)
    guard let left, let right else { return left != nil && right == nil }
    return left < right
  }

  /// Whether a call of this account may be the first for one more service that nobody has announced. Callers can
  /// invent names, so there is room for some, and no account gets more of it than is still free.
  mutating func mayAskForUnannounced(_ account: KeyAccount, at now: MonotonicTime) -> Bool {
    var (own, all) = (0, 0)
    for service in services.indices where !services[service].isFree && !services[service].wasOffered {
      if forgetIfUnused(service, at: now) { continue }
      all += 1
      if services[service].askedFor == account.number { own += 1 }
    }
    return FairShare.mayTake(1, own: own, of: configuration.unannouncedServiceLimit, taken: all)
  }

  mutating func index(ofService name: String) -> Int {
    if let index = serviceIndex[name] { return index }
    let service = RouterService(name: name, retryTokens: configuration.retryTokens)
    if let index = freeServices.popLast() {
      services[index] = service
      serviceIndex[name] = index
      return index
    }
    serviceIndex[name] = services.count
    services.append(service)
    return services.count - 1
  }

  /// Removes the services that had no worker for long, and unannounced ones for which no call waits.
  mutating func forgetServices(at now: MonotonicTime) {
    for service in services.indices where !services[service].isFree {
      guard services[service].workers.isEmpty else { continue }
      guard let left = services[service].lastWorkerLeft else {
        if services[service].announcer == nil { _ = forgetIfUnused(service, at: now) }
        continue
      }
      if now - left >= configuration.serviceMemory { _ = forgetIfUnused(service, at: now) }
    }
  }

  /// - Returns: false when a worker serves it or a call is for it.
  private mutating func forgetIfUnused(_ service: Int, at now: MonotonicTime) -> Bool {
    guard services[service].workers.isEmpty, services[service].openCalls == 0 else { return false }
    methods.remove(ofService: service)
    serviceIndex[services[service].name] = nil
    if services[service].wasOffered { noteHealthChange() }
    services[service] = .free
    freeServices.append(service)
    return true
  }
}

extension RouterService {
  /// An empty entry for the next service.
  fileprivate static var free: RouterService { RouterService(name: "", retryTokens: 0) }
  var isFree: Bool { name.isEmpty }
}
