import type { IncomingHttpHeaders } from 'node:http'
import type { ProviderId } from '../../../plugins/ai/providers/types.ts'

/** What a client asked, read from the wire protocol that it spoke. */
export interface AskedModel {
  readonly provider: ProviderId
  readonly kind: 'text' | 'image' | 'embeddings'
  readonly model: string
  readonly isStream: boolean
  readonly instructions: string
  /** All text of the conversation in order, one line a part. Calls and results of tools are not among it. */
  readonly prompt: string
  /** Those that it may call now, by their names as they came over the wire: `content__read-post`. */
  readonly tools: readonly string[]
  /** What the tools that were called so far returned, in order. */
  readonly toolResults: readonly string[]
  /** JSON Schema that the answer is to fit. */
  readonly schema: unknown
  /** Texts to be made vectors of. */
  readonly texts: readonly string[]
  readonly headers: IncomingHttpHeaders
  /** As it came, parsed. */
  readonly body: unknown
  /** Fires when the client leaves before the answer is whole. */
  readonly left: AbortSignal
}

/** An answer that a model gives. */
export interface ModelTurn {
  readonly text?: string
  /** `input` as the protocol carries it: a string is sent as it is, so that it may be no JSON. */
  readonly calls?: readonly { readonly name: string; readonly input: unknown }[]
  /** Default: `tool-calls` where it calls any, otherwise `stop`. */
  readonly finish?: 'stop' | 'length' | 'refused' | 'tool-calls'
  /** `null` leaves it out. Default: 10 in, 5 out. */
  readonly usage?: { readonly input: number; readonly output: number } | null
  /** Streams the first half of the text, then waits for this. */
  readonly hold?: Promise<void>
}

/** What the server does with one request. A string is a text. */
export type Turn =
  | string
  | ModelTurn
  /** Structured output. */
  | { readonly object: unknown }
  /** One image. */
  | { readonly image: Uint8Array; readonly mediaType?: string }
  | { readonly vectors: readonly (readonly number[])[] }
  /** An error as the provider words it; `message` comes out in its error body. */
  | { readonly status: number; readonly message?: string; readonly headers?: Readonly<Record<string, string>> }
  /** Bytes that are no answer at all, with status 200. */
  | { readonly raw: string }
  /** No answer: the connection stays open until the client leaves. */
  | { readonly hang: true }

/** What one step of a text answer is, once shorthand is spelled out. */
export interface SpelledTurn {
  readonly text: string
  readonly calls: readonly { readonly id: string; readonly name: string; readonly input: unknown }[]
  readonly finish: 'stop' | 'length' | 'refused' | 'tool-calls'
  readonly usage: { readonly input: number; readonly output: number } | undefined
}

/** One of the wire protocols. */
export interface Protocol {
  /** What is asked, or `undefined` if the path is none of the protocol's. */
  read(path: string, body: unknown): Omit<AskedModel, 'provider' | 'headers' | 'body' | 'left'> | undefined
  /** The whole answer as one JSON value. */
  answer(turn: SpelledTurn, asked: AskedModel): unknown
  /** The events of a streamed answer in order; the pieces of its text are those given. */
  events(turn: SpelledTurn, pieces: readonly string[], asked: AskedModel): ServerEvent[]
  image(bytes: Uint8Array, mediaType: string): unknown
  vectors(vectors: readonly (readonly number[])[], asked: AskedModel): unknown
  error(status: number, message: string): unknown
}

/** One event of a stream (HTML Standard, server-sent events). */
export interface ServerEvent {
  readonly event?: string
  readonly data: unknown
  /** It carries text, the n-th piece. */
  readonly piece?: number
}
