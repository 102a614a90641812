import { fromBase64 } from "../../bytes.js"
import type { Patience } from "../../session/patience.js"
import type { Server } from "../../session/server.js"

const types: Record<string, string> = {
  ASSET_KIND_PNG: "image/png", ASSET_KIND_JPEG: "image/jpeg", ASSET_KIND_SVG: "image/svg+xml",
  ASSET_KIND_WEBP: "image/webp", ASSET_KIND_MP4: "video/mp4", ASSET_KIND_PDF: "application/pdf",
}

/** Pictures and animations of documents, each fetched once. */
export class Assets {
  private readonly addresses = new Map<string, Promise<string>>()

  constructor(private readonly server: Server, private readonly patience: Patience) {}

  /** An address for an image or a video. */
  address(hash: string): Promise<string> {
    let address = this.addresses.get(hash)
    if (!address) {
      address = this.fetched(hash)
      this.addresses.set(hash, address)
    }
    return address
  }

  /** Gives it a picture, when that has come. */
  readonly load = (element: HTMLImageElement | HTMLVideoElement, hash: string): void => {
    void this.address(hash).then((address) => { element.src = address }, () => undefined)
  }

  end(): void {
    for (const address of this.addresses.values()) void address.then(URL.revokeObjectURL, () => undefined)
    this.addresses.clear()
  }

  private async fetched(hash: string): Promise<string> {
    const { asset } = await this.patience.until((signal) =>
      this.server.documents.getAsset({ hash }, { signal }))
    return URL.createObjectURL(new Blob([fromBase64(asset?.data ?? "")], { type: types[asset?.kind ?? ""] ?? "" }))
  }
}
