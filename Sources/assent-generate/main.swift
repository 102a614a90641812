internal import Base
internal import Generator

// scripts/generate calls this; everything it does is in the Generator library.

let help = """
  Turns the contract in proto/ into sources. scripts/generate calls it with what it needs.

  usage: assent-generate c-descriptors SET OUT          prepares a descriptor set for protoc-c
         assent-generate swift SET VALUES CONVERSIONS   writes Swift sources into two folders
         assent-generate docs SET EXAMPLES OUT          writes the pages of docs/ into a folder that has api/ in it
  """

func run(_ arguments: [String]) throws {
  switch (arguments.first, arguments.count) {
  case ("c-descriptors", 3):
    try Files.write(CDescriptors.strip(Files.read(arguments[1])), to: arguments[2])
  case ("swift", 4):
    let generation = try Generation(Contract(DescriptorSet(decoding: Files.read(arguments[1]))))
    for file in generation.values { try Files.write(Array(file.text.utf8), to: "\(arguments[2])/\(file.name)") }
    for file in generation.conversions { try Files.write(Array(file.text.utf8), to: "\(arguments[3])/\(file.name)") }
  case ("docs", 4):
    let examples = try Examples.read(arguments[2])
    let documentation = try Documentation(DescriptorSet(decoding: Files.read(arguments[1])), examples: examples)
    for file in documentation.files { try Files.write(Array(file.text.utf8), to: "\(arguments[3])/\(file.name)") }
  case ("--help", 1), ("-h", 1):
    print(help)
  default:
    throw GeneratorError("this is not how it is called; assent-generate --help tells how")
  }
}

do {
  try run(Array(CommandLine.arguments.dropFirst()))
} catch {
  Complaint.end("assent-generate: \(error)")
}
