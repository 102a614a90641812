import Base
import ConsentContract
import ConsentService
import RPC
import ServicePolicy
import StorageTestKit
import Synchronization
import TestSupport
import Testing
import Wire

@testable import Webhooks

/// Events that stand still hold up those of their own subject, and no others.
@Suite("Lanes of webhooks", .serialized, .timeLimit(.minutes(5))) struct WebhookLaneTests {
  @Test(
    "events that a receiver refuses one by one keep no others, however many they are", arguments: TestEngine.allCases)
  func refused(engine: TestEngine) async throws {
    var policy = WebhookWorld.policy
    policy.mostWaiting = 20
    try await WebhookWorld.run(engine, policy: policy) { world, receiver in
      let made = try await world.hook("\(receiver.address("only"))?wanted")
      let id = try #require(made.webhook?.webhookID)
      for number in 0..<20 { try await world.makeStudy("study-\(number)") }
      try await eventually("all were tried", await world.deliveries(id)) {
        $0.count == 20 && $0.allSatisfy { $0.attempts == 1 }
      }
      try await world.makeStudy("wanted")
      let got = try await eventually("the wanted one arrives", receiver.messages("only").filter(\.isAccepted)) {
        !$0.isEmpty
      }
      #expect(got.map(\.studyID) == ["wanted"])
      let status = try await world.webhookStatus(id)
      #expect(status?.parked == 0 && status?.failingSince == nil)
    }
  }

  @Test("a queue that is full is reported once")
  func full() async throws {
    var policy = WebhookWorld.policy
    policy.mostWaiting = 2
    try await WebhookWorld.run(.sqlite, sending: false, policy: policy) { world, receiver in
      let made = try await world.hook("\(receiver.address("only"))?nothing")
      let id = try #require(made.webhook?.webhookID)
      for number in 0..<22 { try await world.makeStudy("study-\(number)") }
      let said = SaidWords()
      try await WebhookWorld.sending(world.services.webhooks { said.add($0.words) }) {
        try await eventually("it is reported", said.all) { !$0.isEmpty }
        // When each is tried again follows from when its first outcome was noted.
        try await eventually("all were tried", await world.deliveries(id)) {
          $0.count == 20 && $0.allSatisfy { $0.attempts == 1 }
        }
        #expect(try await world.webhookStatus(id)?.waiting == 20)
        world.clock.move(by: .seconds(60))
        try await eventually("all are tried again", receiver.messages("only").count) { $0 >= 40 }
      }
      #expect(said.all == ["a webhook's queue is full"])
    }
  }

  @Test("room is made beside what stands still, and not beside what goes on")
  func room() {
    var policy = WebhookWorld.policy
    policy.mostWaiting = 100
    func room(_ all: Int, parked: Int = 0, scheduled: Int, refused: Int, isFailing: Bool = false) -> Int {
      let counts = DeliveryStore.Counts(all: all, parked: parked, scheduled: scheduled, refused: refused)
      return policy.room(beside: counts, isFailing: isFailing)
    }
    #expect(room(40, scheduled: 40, refused: 40) == 60)
    #expect(room(100, scheduled: 100, refused: 0) == 0)
    #expect(room(100, scheduled: 1, refused: 0) == 0, "a long lane that goes on")
    #expect(room(100, scheduled: 1, refused: 1) == 2, "a long lane behind what is refused")
    #expect(room(100, scheduled: 100, refused: 100) == 2)
    #expect(room(102, scheduled: 102, refused: 100) == 0, "others are let in a few at a time")
    #expect(room(100, parked: 50, scheduled: 50, refused: 50) == 2)
    #expect(room(100, scheduled: 100, refused: 100, isFailing: true) == 0, "a receiver that accepts nothing")
    #expect(room(100, parked: 100, scheduled: 0, refused: 0, isFailing: true) == 2, "one event to try it with")
    #expect(room(1000, scheduled: 1000, refused: 1000) == 0)
  }

  @Test("an event that is queued while the one before it is given up is sent")
  func givenUpMeanwhile() async throws {
    try await WebhookWorld.run(.postgres, sending: false) { world, receiver in
      let folder = try TemporaryFolder()
      try await world.makeStudy("heart")
      let made = try await world.hook("\(receiver.address("file"))?\(folder.file("mended"))")
      let id = try #require(made.webhook?.webhookID)
      try await world.renameStudy("heart", "Heart 1")
      try await WebhookWorld.sending(world.services.webhooks()) {
        for state in [DeliveryState.waiting, .parked] {
          try await eventually("it stands still", await world.deliveries(id)) {
            $0.first?.attempts ?? 0 > 0 && $0.first?.state == state
          }
          world.clock.move(by: .seconds(4 * 86_400))
        }
      }
      try await world.renameStudy("heart", "Heart 2")
      try Files.write([], to: folder.file("mended"))
      try await world.test.together([
        {
          let all = ResendWebhookDeliveriesRequest(webhookID: id, giveUp: true)
          let answer = try await world.admin.webhooks.resendWebhookDeliveries(all)
          #expect(answer.count == 1)
        },
        {
          try await WebhookWorld.sending(world.services.webhooks()) {
            func accepted() -> [WebhookReceiver.Message] {
              // The sender before may have been stopped in the middle of its turn, for which it had a lease.
              world.clock.move(by: .seconds(60))
              return receiver.messages("file").filter(\.isAccepted)
            }
            try await eventually("it arrives", accepted()) { !$0.isEmpty }
            try await eventually("its delivery is noted", await world.deliveries(id)) { $0.isEmpty }
          }
        },
      ])
    }
  }
}

private final class SaidWords: Sendable {
  private let words = Mutex<[String]>([])

  var all: [String] { words.withLock { $0 } }

  func add(_ word: String) { words.withLock { $0.append(word) } }
}
