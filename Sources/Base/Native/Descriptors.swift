internal import CSystem

/// The descriptors that a process may have open: files, sockets and others.
public enum Descriptors {
  /// Raises this process's limit to the highest that the system allows, and returns it. The lower limit that processes
  /// begin with is meant for programs that use select(2).
  @discardableResult
  public static func raiseLimit() -> Int { Int(csystem_raise_descriptor_limit()) }

  /// Ends the connection of a descriptor that a library owns: the library sees that the peer has gone.
  package static func endConnection(_ descriptor: Int32) { csystem_end_connection(descriptor) }
}
