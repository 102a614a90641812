internal import ServiceKit
internal import ServiceStorage
internal import Typesetting

/// The settings of SignatureService.
struct SignatureSettings: SettingGroup {
  let renderOnly = Setting(
    "render-only", default: false, "only make pictures: no database, no fields; start as many of these as needed")
  let database = DatabaseSettings()
  let renderThreads = Setting(
    "render-threads", default: 2, in: 1...256,
    "how many pictures are drawn at a time; a quarter of them, at least one, may be such as take long")
  let pictureCache = Setting(
    "picture-cache", default: ByteCount.mebibytes(16), in: ByteCount(0)...ByteCount.gibibytes(16),
    "what the pictures kept in memory may take")
  let fonts = Setting(
    "fonts", default: Typesetter.usualFolder, shown: "FOLDER",
    "the folder under which Debian's packages put the fonts of typed names")
  let slots = Setting("slots", default: 64, in: 1...4096, "how many calls are handled at a time")
  let housekeeping = HousekeepingSettings()
}
