internal import Base

/// Where tasks of load generators run, which do little besides making calls: one thread, as in the peers' loops.
package enum Callers {
  package static let thread: any TaskExecutor = BlockingPool(name: "callers", threads: 1)
}
