/// Takes a turn of a reactor; nil when it was the last one. Only one thread calls it at a time.
///
/// A function and no protocol, because the compiler makes a copy of the loop for each kind of host only where it sees
/// the kind. What is called by a protocol is compiled once, and looks up the host's types at run time in each turn.
typealias ReactorTurns = @Sendable (_ events: [UInt64]) -> ReactorTurnEnd?
