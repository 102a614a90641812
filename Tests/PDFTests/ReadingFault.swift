import PDF

/// Why a file or one of its objects cannot be read; "read" if all can.
func fault(_ bytes: [UInt8], _ budget: ReadingBudget = ReadingBudget()) -> String {
  do throws(PDFReadError) {
    let file = try PDFFile(bytes, budget)
    for number in file.numbers { _ = try file.object(number) }
    return "read"
  } catch {
    return error.description
  }
}
