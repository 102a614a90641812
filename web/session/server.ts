import { Client } from "../../clients/typescript/src/client.js"
import type {
  CreateFieldLinkRequest, CreateFieldLinkResponse,
} from "../../clients/typescript/src/contract/gateway_v1.js"
import { DocumentService, RecordService, SessionService } from "../../clients/typescript/src/contract/consent_v1.js"
import type {
  AppendStrokesRequest, AppendStrokesResponse,
} from "../../clients/typescript/src/contract/signature_v1.js"
import { RenderService, SignatureService } from "../../clients/typescript/src/contract/signature_v1.js"
import { serverStreaming, unary } from "../../clients/typescript/src/method.js"

/** How a page reaches the server. */
export interface Access {
  /** Where the gateway is; empty: where the page came from. */
  readonly url: string
  /** A token, or what gives one for each call; without it the browser's cookie is what admits. */
  readonly token?: string | (() => string | Promise<string>)
  /** Headers of every call. */
  readonly headers: Readonly<Record<string, string>>
  /** What sends, in place of the browser's fetch. */
  readonly fetch?: typeof fetch
  /** Whether `fetch` answers in the server's place: nobody can be asked to sign on a phone then. */
  readonly isAway?: boolean
}

/** A stream of one message, which browsers can send: more is not needed, since every piece has a key of its own. */
const drawing = {
  appendStrokes: serverStreaming<AppendStrokesRequest, AppendStrokesResponse>(
    "assent.signature.v1.SignatureService/AppendStrokes", "none"),
}

/** Of the gateway's own methods one is needed here. */
const links = {
  createFieldLink: unary<CreateFieldLinkRequest, CreateFieldLinkResponse>(
    "assent.gateway.v1.GatewayService/CreateFieldLink", "none"),
}

/** The services that a session's screens need. */
export class Server {
  readonly sessions
  readonly documents
  readonly records
  readonly fields
  readonly pictures
  readonly drawing
  readonly links
  readonly url: string
  readonly isAway: boolean | undefined

  constructor({ url, token, headers, fetch: own, isAway }: Access) {
    this.url = url
    this.isAway = isAway
    const send = own ?? ((input: RequestInfo | URL, init?: RequestInit) => fetch(input, init))
    const client = new Client({
      url,
      ...token === undefined ? {} : { key: token },
      fetch: (input, init) => {
        const all = new Headers(init?.headers)
        for (const [name, value] of Object.entries(headers)) all.set(name, value)
        return send(input, { ...init, headers: all })
      },
    })
    this.sessions = client.service(SessionService)
    this.documents = client.service(DocumentService)
    this.records = client.service(RecordService)
    this.fields = client.service(SignatureService)
    this.pictures = client.service(RenderService)
    this.drawing = client.service(drawing)
    this.links = client.service(links)
  }
}
