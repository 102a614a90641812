internal import CSystem

/// The descriptors that a process may have open: files, sockets and whatever else.
public enum Descriptors {
  /// Lets this process open as many as the system allows it, and returns how many those are. The lower limit that
  /// processes begin with is there for programs that use select(2).
  @discardableResult
  public static func raiseLimit() -> Int { Int(csystem_raise_descriptor_limit()) }

  /// Ends the connection behind a descriptor that a library owns: to the library, the peer has gone.
  package static func endConnection(_ descriptor: Int32) { csystem_end_connection(descriptor) }
}
