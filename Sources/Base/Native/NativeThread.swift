internal import CSystem
internal import Glibc

/// A thread with a name and a stack of its own size, which Swift's tasks do not offer.
public enum NativeThread {
  public static func start(name: String, stackBytes: Int, _ body: @escaping @Sendable () -> Void) {
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    defer { unsafe pthread_attr_destroy(&attributes) }
    unsafe pthread_attr_setstacksize(&attributes, stackBytes)
    unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    let start = unsafe Unmanaged.passRetained(Start(name: name, body: body))
    var thread = pthread_t()
    let failure = unsafe pthread_create(
      &thread, &attributes,
      { argument in
        guard let argument = unsafe argument else { return nil }
        let start = unsafe Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
        // Linux shows the first 15 bytes of a thread's name.
        unsafe csystem_name_this_thread(String(decoding: start.name.utf8.prefix(15), as: UTF8.self))
        start.body()
        return nil
      }, unsafe start.toOpaque())
    precondition(failure == 0, "the system refused a thread: error \(failure)")
  }

  /// Blocks the calling thread. For threads that run no tasks; tasks use `Task.sleep`.
  public static func sleep(for duration: Duration) {
    let nanoseconds = duration.wholeNanoseconds
    var time = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    var rest = timespec()
    while unsafe nanosleep(&time, &rest) != 0 && errno == EINTR { time = rest }
  }

  /// How many threads can run at the same time.
  public static var cores: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  private final class Start: Sendable {
    let name: String
    let body: @Sendable () -> Void

    init(name: String, body: @escaping @Sendable () -> Void) {
      self.name = name
      self.body = body
    }
  }
}
