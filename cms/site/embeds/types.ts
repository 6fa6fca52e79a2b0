import type { JsonValue } from '../../../core/options/types.ts'

/** Largest size of an embed, in pixels: oEmbed's `maxwidth` and `maxheight`. */
export interface EmbedSize {
  readonly width: number
  readonly height: number
}

/** The fields that a provider answers with (https://oembed.com, 2.3.4): JSON of a stranger, nothing in it is checked. */
export type OembedAnswer = Readonly<Record<string, JsonValue>>

/** Where providers answer for which URLs, by pattern: WordPress's `[endpoint, isRegex]`. */
export type OembedProviders = Readonly<Record<string, readonly [endpoint: string, isRegex: boolean]>>

/** What is known of a URL. */
export interface Embed {
  /** 32 hexadecimal digits of URL and size. */
  readonly key: string
  readonly url: string
  /** `null` where the provider has nothing for the URL, or could not be asked. */
  readonly answer: OembedAnswer | null
  /** What takes the place of the URL, as the provider and the filters of oEmbed made it; `null` without any. */
  readonly html: string | null
  /** Milliseconds since 1970; afterwards the provider is asked again. */
  readonly expires: number
}
