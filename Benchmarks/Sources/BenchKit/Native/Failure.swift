internal import Glibc

/// Ends the process with an exit code that a script notices, after all output is written.
public func exitWithFailure() -> Never {
  exit(1)
}

/// Ends the process when there is nothing to measure.
public func exitWithSuccess() -> Never {
  exit(0)
}
