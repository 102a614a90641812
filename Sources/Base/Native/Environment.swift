internal import CSystem

/// The variables that this process was started with.
public enum Environment {
  public static let current: [String: String] = {
    var variables: [String: String] = [:]
    guard var entry = unsafe csystem_environment() else { return variables }
    while let text = unsafe entry.pointee {
      let words = unsafe String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if words.count == 2 { variables[String(words[0])] = String(words[1]) }
      unsafe entry += 1
    }
    return variables
  }()
}
