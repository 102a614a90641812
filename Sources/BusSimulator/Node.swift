internal import Base

/// A simulated process: it can be killed, started again, frozen and thawed.
class Node {
  unowned let world: World
  let name: String
  /// Counts its lives: what was meant for an earlier one never reaches a later one.
  private(set) var life = 0
  private(set) var isUp = false
  private(set) var isFrozen = false
  /// When it last went on after a freeze: what was due earlier happens only then.
  private(set) var thawedAt = MonotonicTime(nanoseconds: 0)
  /// It was asked to stop, and will be replaced when it has.
  var isLeaving = false
  private var pending: [() -> Void] = []
  private var steps = 0
  private var plannedWake: MonotonicTime?

  init(name: String, world: World) {
    self.name = name
    self.world = world
  }

  /// Lets something happen to the process: at once or, while it is frozen, when it goes on.
  func perform(in life: Int, _ body: @escaping () -> Void) {
    guard isUp, life == self.life else { return }
    if isFrozen { return pending.append(body) }
    body()
    step()
  }

  /// Something that the process itself does later.
  func plan(after delay: Duration, _ body: @escaping () -> Void) {
    let life = life
    world.plan(after: delay) { [self] in perform(in: life, body) }
  }

  func start() {
    life += 1
    isUp = true
    isLeaving = false
    begin()
    step()
  }

  func kill() {
    isUp = false
    isFrozen = false
    pending = []
    plannedWake = nil
    die()
  }

  func freeze() { isFrozen = isUp }

  /// A process that goes on finds everything at once that has come meanwhile, and only then looks at the clock.
  func thaw() {
    guard isFrozen else { return }
    isFrozen = false
    thawedAt = world.now
    let late = pending
    pending = []
    for body in late { body() }
    step()
  }

  /// Carries out what its machines want, and plans when they want to look at the clock again.
  private func step() {
    guard isUp else { return }
    settle()
    steps += 1
    // Looking through all tables costs more than what happens in them, so it is done now and then.
    if steps.isMultiple(of: 16) { world.check(faults(), of: self) }
    guard isUp else { return }
    let wake = nextWake
    if let plannedWake, plannedWake <= wake { return }
    plannedWake = wake
    let life = life
    world.plan(at: max(wake, world.now)) { [self] in
      guard life == self.life, plannedWake == wake else { return }
      plannedWake = nil
      perform(in: life) {}
    }
  }

  // MARK: - What kinds of processes differ in

  func begin() {}
  func die() {}
  func drain() {}
  /// Advances its machines if they are due, and carries out what they want until they are at rest.
  func settle() {}
  /// Tables of its machines that contradict one another.
  func faults() -> [String] { [] }
  var nextWake: MonotonicTime { MonotonicTime(nanoseconds: .max) }
}
