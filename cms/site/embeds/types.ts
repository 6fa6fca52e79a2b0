import type { JsonValue } from '../../../core/options/types.ts'

/** Maximum size of an embed in pixels: oEmbed's `maxwidth` and `maxheight`. */
export interface EmbedSize {
  readonly width: number
  readonly height: number
}

/** Response fields of a provider (https://oembed.com, 2.3.4): untrusted, unvalidated JSON. */
export type OembedResponse = Readonly<Record<string, JsonValue>>
/** @deprecated Use `OembedResponse`. */
export type OembedAnswer = OembedResponse

/** Endpoints by URL pattern: WordPress's `[endpoint, isRegex]`. */
export type OembedProviders = Readonly<Record<string, readonly [endpoint: string, isRegex: boolean]>>

/** Cached embed of a URL. */
export interface Embed {
  /** 32 hexadecimal digits, derived from URL and size. */
  readonly key: string
  readonly url: string
  /** `null` if the provider has no data for the URL, or the request failed. */
  readonly answer: OembedResponse | null
  /** HTML that replaces the URL, from the provider and the oEmbed filters; `null` if there is none. */
  readonly html: string | null
  /** Expiry time, Unix time in ms; then the provider is requested again. */
  readonly expires: number
}
