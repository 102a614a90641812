import Base
import BenchKit
import Bus
import ConsentContract
import ConsentLoad
import RPC

/// Everything that `assent up` starts, and devices that call: each has an API key, and is known on the bus too.
actor CallsSystem: Stoppable {
  /// So many that no key is used up: each is good for 2,000 calls a second.
  private static let deviceCount = 16
  /// How many prepare at a time.
  private static let preparers = 32

  nonisolated let installation: Installation
  nonisolated let keys: [String]
  nonisolated let devices: [DeviceCalls]
  nonisolated let pictures = Counter()
  private let connection: BusConnection
  private var repeated: [String: [[Request]]] = [:]
  private var samples: [String: [Sample]] = [:]

  /// A study with a flow is there already.
  ///
  /// - Parameter people: how many have walked it already, for their consents to be checked.
  static func start(
    in data: String, environment: [String: String], people: Int = 100
  ) async throws -> CallsSystem {
    let installation = try await Installation.start(in: data, environment: environment)
    let names = (0..<deviceCount).map { "pad-\($0)" }
    var keys: [String] = []
    for name in names { keys.append(try await installation.key(name)) }
    let connection = try await BusConnection.open(.init(gateways: [try BusEndpoint(installation.bus)]))
    try await connection.ready()
    let devices = names.map { name in
      let identity = CallerIdentity(kind: .device, tenant: ConsentSystem.tenant, subject: name, device: name)
      return DeviceCalls(channel: connection.channel.acting(for: identity))
    }
    let admin = CallerIdentity(
      kind: .person, tenant: ConsentSystem.tenant, subject: "admin", grants: ["admin@*", "publisher@*"])
    let flow = try await WalkedFlow.open(
      for: ConsentClients(devices[0].channel), madeBy: ConsentClients(connection.channel.acting(for: admin)))
    try await flow.walkForChecks(people: people)
    try await ConsentClients(devices[0].channel).check(subject: 0)
    return CallsSystem(installation, keys, devices, connection)
  }

  private init(
    _ installation: Installation, _ keys: [String], _ devices: [DeviceCalls], _ connection: BusConnection
  ) {
    (self.installation, self.keys, self.devices, self.connection) = (installation, keys, devices, connection)
  }

  /// A method's walks for one run; the device at the place of a walk makes its calls, and the first one again after the
  /// last.
  func requests(for load: CallLoad) async throws -> [[Request]] {
    if let known = repeated[load.method.id] { return known }
    let requests = try await load.method.requests(self, load.walks)
    guard load.method.repeats else { return requests }
    repeated[load.method.id] = requests
    // What is asked for the first time is read, and may be kept for who asks again.
    for (walk, request) in requests.enumerated() {
      _ = try await devices[walk % devices.count].send(load.method.descriptor, request[0].binary)
    }
    return requests
  }

  /// How long the requests and the answers of a method are, as the calls of one walk show.
  func sample(of method: MeasuredMethod) async throws -> [Sample] {
    if let known = samples[method.id] { return known }
    var made: [Sample] = []
    for request in try await method.requests(self, 1)[0] {
      let answer = try await devices[0].send(method.descriptor, request.binary)
      made.append(Sample(request: request.binary.count, answer: answer.count))
    }
    samples[method.id] = made
    return made
  }

  /// Makes walks, each with the device that is to walk it.
  nonisolated func each(
    of count: Int, _ make: @escaping @Sendable (DeviceCalls) async throws -> [Request]
  ) async throws -> [[Request]] {
    let next = Counter()
    return try await withThrowingTaskGroup(of: [(Int, [Request])].self) { group in
      for _ in 0..<min(count, Self.preparers) {
        group.addTask(executorPreference: Callers.thread) {
          var made: [(Int, [Request])] = []
          while true {
            let walk = next.next() - 1
            guard walk < count else { return made }
            made.append((walk, try await make(self.devices[walk % self.devices.count])))
          }
        }
      }
      return try await group.reduce(into: [(Int, [Request])]()) { $0 += $1 }.sorted { $0.0 < $1.0 }.map(\.1)
    }
  }

  /// Returns when nothing is left to do of what was asked before.
  nonisolated func untilIdle() async throws {
    try await Idleness.wait(for: try ProcessTree.all(of: installation.process), window: .milliseconds(200))
  }

  func stop() async throws {
    try await connection.close()
    await installation.stop()
  }
}

/// How long a request and its answer are.
struct Sample: Sendable {
  let request: Int
  let answer: Int
}

extension [Sample] {
  /// A bound that each answer reaches in every form: such as say no, or nothing, are shorter.
  var leastAnswer: Int { (map(\.answer).min() ?? 0) * 4 / 5 }
}
