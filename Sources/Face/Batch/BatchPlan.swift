package import RPC

/// One call of a batch as its caller wrote it.
package struct BatchWish: Sendable {
  package var method: String
  package var request: String
  package var idempotencyKey: String

  package init(method: String, request: String = "", idempotencyKey: String = "") {
    self.method = method
    self.request = request
    self.idempotencyKey = idempotencyKey
  }
}

/// The outcome of one call of a batch.
package enum BatchOutcome: Sendable {
  /// The answer as JSON.
  case answer([UInt8])
  case failed(Status)
}

/// The calls of a batch, parsed and checked as far as that is possible before any of them is made.
package struct BatchPlan: Sendable {
  struct Call: Sendable {
    let method: Catalogue.Method
    let request: RequestTemplate
    let idempotencyKey: String
  }

  let calls: [Call]

  package static let mostCalls = 64
  /// How many strings of all requests together may begin with `$`, the mark of a reference.
  package static let mostMarked = 1_000
  /// The most bytes of all requests together. They are searched for references before it is known who the caller is.
  package static let mostAsked = 1 << 20
  private static let itself = "/assent.gateway.v1.GatewayService/Batch"

  /// Throws if anything is wrong with the batch; then none of its calls is made.
  package init(_ wishes: [BatchWish], of catalogue: Catalogue) throws(Status) {
    try Self.check(count: wishes.count)
    let asked = Self.asked(in: wishes)
    guard asked <= Self.mostAsked else {
      throw Status(
        .invalidArgument,
        rule: "bad_batch",
        "the requests have \(asked) bytes together; at most \(Self.mostAsked) are taken, so make calls with "
          + "large requests outside of a batch")
    }
    var marked = 0
    var methods: [Catalogue.Method] = []
    var calls: [Call] = []
    for (place, wish) in wishes.enumerated() {
      do throws(Status) {
        let method = try Self.method(wish.method, catalogue)
        let length = wish.idempotencyKey.utf8.count
        guard length <= CallContext.longestKey else {
          throw Status(
            .invalidArgument,
            rule: "bad_batch", "idempotency_key has \(length) bytes; at most \(CallContext.longestKey) are taken")
        }
        let request = try RequestTemplate(
          wish.request, earlier: methods, of: catalogue, most: Self.mostMarked - marked)
        marked += request.marked
        methods.append(method)
        calls.append(Call(method: method, request: request, idempotencyKey: wish.idempotencyKey))
      } catch {
        throw Self.placed(error, at: place)
      }
    }
    self.calls = calls
  }

  /// How many bytes all requests have together.
  package static func asked(in wishes: [BatchWish]) -> Int { wishes.reduce(0) { $0 + $1.request.utf8.count } }

  /// Throws when a batch may not have this number of calls.
  package static func check(count: Int) throws(Status) {
    guard (1...mostCalls).contains(count) else {
      throw Status(.invalidArgument, rule: "bad_batch", "calls must be 1 to \(mostCalls), and are \(count)")
    }
  }

  private static func method(_ name: String, _ catalogue: Catalogue) throws(Status) -> Catalogue.Method {
    let path = name.hasPrefix("/") ? name : "/\(name)"
    guard let method = catalogue.method(path) else { throw catalogue.unknownMethod(path) }
    guard path != itself else { throw Status(.invalidArgument, rule: "bad_batch", "batches do not nest") }
    // Such a method relies on what the door knows of its caller (`AdmissionTickets`), which only a call that a door
    // itself sends carries.
    guard !AdmissionTickets.areSent(with: method.descriptor) else {
      throw Status(.invalidArgument, rule: "bad_batch", "\(name) is not for batches; call it outside of a batch")
    }
    guard method.descriptor.kind == .unary else {
      throw Status(
        .invalidArgument, rule: "bad_batch", "\(name) streams; a batch takes methods with one request and one answer")
    }
    return method
  }

  /// A fault of one call as a fault of the batch: the call's place is named in the field and before the story.
  private static func placed(_ fault: Status, at place: Int) -> Status {
    let parts = fault.message.split(separator: ": ", maxSplits: 1).map(String.init)
    let (rule, story) = parts.count == 2 ? (parts[0], parts[1]) : ("bad_batch", fault.message)
    return Status(.invalidArgument, rule: rule, field: "calls[\(place)]", "calls[\(place)]: \(story)")
  }
}
