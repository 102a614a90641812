internal import CSystem

/// The open files, sockets and other descriptors of this process.
public enum Descriptors {
  /// Raises this process's limit to the highest that the system allows, and returns it. The lower limit that processes
  /// start with is meant for programs that use select(2).
  @discardableResult
  public static func raiseLimit() -> Int { Int(csystem_raise_descriptor_limit()) }

  /// Ends the connection of a descriptor that a library owns. To the library it looks as if the peer had gone.
  package static func endConnection(_ descriptor: Int32) { csystem_end_connection(descriptor) }
}
