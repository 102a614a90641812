internal import Base
internal import Generator

// scripts/generate calls this; everything it does is in the Generator library.

let help = """
  Turns the contract in proto/ into sources. scripts/generate calls it with what it needs.

  usage: assent-generate c-descriptors SET OUT     prepares a descriptor set for protoc-c
         assent-generate swift SET ROOT            writes Swift sources below a folder, each where it belongs
         assent-generate typescript SET ROOT       writes the contract for clients/typescript there
         assent-generate docs SET EXAMPLES ROOT    writes the pages of docs/ there, with the examples of a folder
  """

func write(_ files: [Generation.File], below root: String) throws {
  for file in files {
    let path = "\(root)/\(file.path)"
    try Files.makeFolder(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
    try Files.write(Array(file.text.utf8), to: path)
  }
}

func run(_ arguments: [String]) throws {
  switch (arguments.first, arguments.count) {
  case ("c-descriptors", 3):
    try Files.write(CDescriptors.prepare(Files.read(arguments[1])), to: arguments[2])
  case ("swift", 3):
    let generation = try Generation(Contract(DescriptorSet(decoding: Files.read(arguments[1]))))
    try write(generation.values + generation.conversions, below: arguments[2])
  case ("typescript", 3):
    let contract = try TypeScriptOutput(DescriptorSet(decoding: Files.read(arguments[1])))
    try write(try contract.files(), below: arguments[2])
  case ("docs", 4):
    let examples = try Examples.read(arguments[2])
    let documentation = try Documentation(DescriptorSet(decoding: Files.read(arguments[1])), examples: examples)
    try write(documentation.files, below: arguments[3])
  case ("--help", 1), ("-h", 1):
    print(help)
  default:
    throw GeneratorError("the arguments are wrong; assent-generate --help shows the right ones")
  }
}

do {
  try run(Array(CommandLine.arguments.dropFirst()))
} catch {
  Complaint.end("assent-generate: \(error)")
}
