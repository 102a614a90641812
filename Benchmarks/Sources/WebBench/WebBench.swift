internal import Base
internal import BenchKit

/// What people wait for in a browser, in Chromium on this machine: sizes, the first screen, the next one, and ink.
///
/// session_size and signature_size: what a page fetches for an element, compressed. first_screen: from opening a link
/// to the screen; its peer fetches the same bytes in the same order and shows nothing. next: from Next to the next
/// screen; its peer is the call alone, and one frame. ink_frame: how many frames ink takes from a pointer's event to
/// the screen; ink_task: the longest piece of work while 10,000 points are drawn. queue: from Sign In, without a
/// connection, until 200 visits are shown that wait for one. visits: what the page of a shared tablet has in memory
/// after 50 people have signed there; its peer is the same page after the first one.
@main struct WebBench {
  private static let frames = Unit("frames", lessIsBetter: true)

  static func main() async {
    await Bench.run("web") { bench in
      try sizes(&bench)
      let chromium = Peer.python("web/chromium.py")
      await bench.compare(
        "first_screen", "from a link to its first screen", unit: .milliseconds,
        ours: { try await chromium.measure("first_screen") },
        peers: ["fetch": { try await chromium.measure("fetch") }])
      await bench.compare(
        "next", "from Next to the next screen", unit: .milliseconds,
        ours: { try await chromium.measure("next") }, peers: ["call": { try await chromium.measure("call") }])
      await bound("ink_frame", "frames until ink is seen, p99 of 600 points", frames, 1, chromium, &bench)
      await bound("ink_task", "longest work of 10,000 points", .milliseconds, 50, chromium, &bench)
      await bound("queue", "200 visits that wait are unlocked and shown", .milliseconds, 500, chromium, &bench)
      await bench.compare(
        "visits", "memory of a tablet's page after 50 visits", unit: .mebibytes,
        ours: { try await chromium.measure("visits") },
        peers: ["first": { try await chromium.measure("first_visit") }])
    }
  }

  private static func sizes(_ bench: inout Bench) throws {
    let sizes = String(decoding: try Files.read(Repository.path(".build/web/sizes.txt")), as: UTF8.self)
    for (element, most) in [("session", 45_000.0), ("signature", 15_360)] {
      let line = sizes.split(separator: "\n").first { $0.hasPrefix("\(element).js ") }
      let size = line?.split(separator: " ").last.flatMap { Double($0) }
      bench.report(
        "\(element)_size/bound", "<assent-\(element)> with all it needs, gzip", unit: .bytes, value: size ?? .nan,
        peer: "bound", peerValue: most)
    }
  }

  private static func bound(
    _ id: String, _ name: String, _ unit: Unit, _ most: Double, _ chromium: Peer, _ bench: inout Bench
  ) async {
    await bench.compare(
      id, name, unit: unit, ours: { try await chromium.measure(id) }, peers: ["bound": { most }])
  }
}
