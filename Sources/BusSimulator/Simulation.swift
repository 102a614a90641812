internal import Base

/// Runs the bus's machines in a world that is generated from a seed: processes start, call each other, break, freeze,
/// lose their connections or keys, do not read, and come back, all in virtual time.
public enum Simulation {
  /// Runs one world to its end. The same seed always gives the same world, and the same report.
  ///
  /// - Parameter sabotage: breaks a promise of the bus on purpose.
  public static func run(seed: UInt64, sabotage: Sabotage? = nil) -> Report {
    let world = World(seed: seed, sabotage: sabotage)
    let trouble = world.chance.milliseconds(500...3000)
    world.startAll()
    world.makeCalls(world.chance.number(2...24), over: trouble)
    world.receivePassingClients(over: trouble)
    world.faults.plan(world.chance.number(0...5), within: trouble)
    world.faults.planDeath(within: trouble)
    world.faults.planForOne(within: trouble)
    world.run(for: trouble)
    // Long enough for every link to be back and every call to have ended.
    world.faults.stop()
    world.run(for: .milliseconds(4_000))
    world.probe()
    world.run(for: .milliseconds(1_800))
    if world.crowd() { world.run(for: .seconds(12)) }
    world.checkRest()
    world.end()
    return world.report
  }
}
