/// The folder of the sources: benchmarks run where they were built.
public enum Repository {
  /// The repository's root, without a slash at its end.
  public static let root = String(#filePath.dropLast("/Benchmarks/Sources/BenchKit/Repository.swift".count))

  /// A path below the root.
  public static func path(_ relative: String) -> String {
    "\(root)/\(relative)"
  }
}
