import ServiceKit

@main struct AssentMain {
  static func main() async {
    let commands: [Command] = [
      .up, .status, .call, .demo, .documents, .accounts, .tenants, .keys, .render, .signature, .data, .verify, .seal,
      .prepare, .probe,
    ]
    await Tool(
      "assent", "Runs Assent on this machine and asks it about its state.", commands,
      operands: { ["call": MethodNames.toComplete] }
    ).run()
  }
}
