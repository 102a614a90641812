internal import Glibc

/// Ends the process so that a script notices, with everything printed.
public func exitWithFailure() -> Never {
  exit(1)
}
