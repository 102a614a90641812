internal import Base

/// A simulated process: it can be killed, started again, frozen and thawed.
class Node {
  unowned let world: World
  let name: String
  /// Counts the process's lives: an event for an earlier life never reaches a later one.
  private(set) var life = 0
  private(set) var isUp = false
  private(set) var isFrozen = false
  /// When it was last thawed: events that were due earlier happen only then.
  private(set) var thawedAt = MonotonicTime(nanoseconds: 0)
  /// Whether the process was asked to stop; it is replaced once it has.
  var isLeaving = false
  private var pending: [() -> Void] = []
  private var steps = 0
  private var plannedWake: MonotonicTime?

  init(name: String, world: World) {
    self.name = name
    self.world = world
  }

  /// Runs an event of the process: at once or, while it is frozen, when it is thawed.
  func perform(in life: Int, _ body: @escaping () -> Void) {
    guard isUp, life == self.life else { return }
    if isFrozen { return pending.append(body) }
    body()
    step()
  }

  /// Plans an event of the process itself.
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

  /// A process that is thawed first handles everything that has arrived meanwhile, and only then looks at the clock.
  func thaw() {
    guard isFrozen else { return }
    isFrozen = false
    thawedAt = world.now
    let late = pending
    pending = []
    for body in late { body() }
    step()
  }

  /// Carries out the actions of its machines, and plans when they have to look at the clock again.
  private func step() {
    guard isUp else { return }
    settle()
    steps += 1
    // Checking all tables takes longer than the events themselves, so it is done only now and then.
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

  // MARK: - For subclasses

  func begin() {}
  func die() {}
  func drain() {}
  /// Advances its machines if they are due, and carries out their actions until there are none.
  func settle() {}
  /// Contradictions in the tables of its machines.
  func faults() -> [String] { [] }
  var nextWake: MonotonicTime { MonotonicTime.never }
}
