import AuthorityKit
import ConsentContract
import Wire

/// One way to call a method: what the call is about, and the call itself. Calls that would change something are made so
/// that they fail for another reason once they are admitted.
struct Row: Sendable {
  typealias Target = AuthorityWorld.Target

  let method: String
  let thing: @Sendable (Actor, Target) -> Thing
  let call: @Sendable (ConsentClients, Target) async throws -> any Message

  init(
    _ method: String, _ thing: @escaping @Sendable (Actor, Target) -> Thing,
    _ call: @escaping @Sendable (ConsentClients, Target) async throws -> any Message
  ) {
    (self.method, self.thing, self.call) = (method, thing, call)
  }
}

extension Row {
  static let consent: [Row] = studies + documents + flows + sessions + records + webhooks
}
