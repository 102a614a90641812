import {
  DocumentService, type AssetKind,
} from "../../../clients/typescript/src/contract/consent_v1.js"
import { fromBase64, toBase64 } from "../../bytes.js"
import { button, make } from "../../elements/dom.js"
import type { FormWords } from "../../words/forms/words.js"
import type { Calls } from "../access/calls.js"

const kinds: Readonly<Record<string, AssetKind>> = {
  "image/png": "ASSET_KIND_PNG", "image/jpeg": "ASSET_KIND_JPEG", "image/svg+xml": "ASSET_KIND_SVG",
  "image/webp": "ASSET_KIND_WEBP", "video/mp4": "ASSET_KIND_MP4", "application/pdf": "ASSET_KIND_PDF",
}

/** Pictures and files of documents: what is stored is named by its hash. */
export class Assets {
  constructor(private readonly calls: Calls, private readonly failed: (problem: unknown) => void) {}

  /** A field that holds the hash of a file, and stores another one in its place. */
  field(accept: string, hash: string, words: FormWords, changed: (hash: string | undefined) => void): HTMLElement {
    const status = make("p", { class: "dim small", role: "status" })
    const file = make("input", { type: "file", accept })
    file.addEventListener("change", () => {
      const [chosen] = file.files ?? []
      if (!chosen) return
      file.disabled = true
      status.textContent = words.assets.storing
      void this.stored(chosen).then(changed, this.failed).finally(() => {
        file.disabled = false
        status.textContent = ""
      })
    })
    const shown = make("img", { class: "logo", alt: "" })
    if (hash) void this.show(shown, hash).catch(() => undefined)
    return make("fieldset", { class: "some" }, shown, file, status, ...hash
      ? [button({ class: "btn s" }, () => changed(undefined), words.assets.remove)] : [])
  }

  private async stored(file: File): Promise<string> {
    const data = toBase64(new Uint8Array(await file.arrayBuffer()))
    const { hash = "" } = await this.calls.make(DocumentService.createAsset, {
      kind: kinds[file.type] ?? "ASSET_KIND_UNSPECIFIED", data })
    return hash
  }

  private async show(image: HTMLImageElement, hash: string): Promise<void> {
    const { asset } = await this.calls.make(DocumentService.getAsset, { hash })
    const [type = ""] = Object.entries(kinds).find(([, kind]) => kind === asset?.kind) ?? []
    if (!type.startsWith("image/")) return
    image.addEventListener("load", () => URL.revokeObjectURL(image.src))
    image.src = URL.createObjectURL(new Blob([fromBase64(asset?.data ?? "")], { type }))
  }
}
