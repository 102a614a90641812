internal import ServiceKit
internal import ServiceStorage
internal import Typesetting

/// The settings of SignatureService.
struct SignatureSettings: SettingGroup {
  let renderOnly = Setting(
    "render-only", default: false, "only make pictures: no database, no fields; start as many of these as needed")
  let paperOnly = Setting(
    "paper-only", default: false, "only lay out and check documents: no database; start as many of these as needed")
  let sealOnly = Setting(
    "seal-only", default: false,
    "only seal the digests of documents: no database, and no document comes here; needs a seal's key")
  let database = DatabaseSettings()
  let renderThreads = Setting(
    "render-threads", default: 2, in: 1...256,
    "how many pictures are drawn at a time; those that take long have further threads, a quarter as many and at least "
      + "one")
  let paperThreads = Setting(
    "paper-threads", default: 2, in: 1...256,
    "how many documents are laid out or checked at a time; those that take long have further threads, a quarter as "
      + "many and at least one")
  let paperTime = Setting(
    "paper-time", default: Duration.seconds(30), in: Duration.seconds(1)...Duration.seconds(50),
    "how long one document may take to be laid out, from when its turn begins")
  let pictureCache = Setting(
    "picture-cache", default: ByteCount.mebibytes(16), in: ByteCount(0)...ByteCount.gibibytes(16),
    "the most memory for the pictures that are kept to be given again")
  let fonts = Setting(
    "fonts", default: OwnProgram.companion("share/fonts") ?? Typesetter.usualFolder, shown: "FOLDER",
    "the folder with the fonts of typed names and documents, as Debian's packages or the tarball of fonts install them")
  let slots = Setting("slots", default: 64, in: 1...4096, "how many calls are handled at a time")
  let seal = SealSettings()
  let housekeeping = HousekeepingSettings()
}
