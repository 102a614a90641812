internal import Glibc

/// What this process has taken of processors so far. Unlike the time that passes, it hardly grows beside busy
/// neighbours.
package var processorTime: Duration { .microseconds(clock()) }
