/// The version of everything in this repository; CHANGELOG.md says what is in it.
public enum Version {
  public static let current = "0.1.0"
}
