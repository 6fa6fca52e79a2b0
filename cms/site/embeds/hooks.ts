import { listOf, recordOf } from '../../../core/hooks/contents.ts'
import type { FilterShapes } from '../../../core/hooks/shapes.ts'
import type { Post } from '../../content/types.ts'
import type { EmbedSize, OembedAnswer, OembedProviders } from './types.ts'

declare module '../../../core/hooks/names.ts' {
  interface Actions {
    /**
     * Fires when what is embedded for a URL has changed, as when its provider has answered for the first time. Pages that
     * show it have the tag.
     * @param tag `embed-` and 16 hexadecimal digits
     * @param url the embedded URL
     * @since 0.1.0
     */
    oembed_cache_updated: [tag: string, url: string]
  }

  interface Filters {
    /**
     * The providers that are asked what to embed for a URL, and whose HTML is trusted. `content.addOembedProvider` adds one.
     * @param providers endpoints by pattern: a URL with `*`, or where the second item is `true` a regular expression, which
     * ignores case. `{format}` in an endpoint becomes `json`.
     * @example
     * ```ts
     * import { defineExtension } from 'pentad'
     *
     * export default defineExtension({
     *   id: 'own-videos',
     *   name: 'Own videos',
     *   version: '1.0.0',
     *   setup({ hooks }) {
     *     hooks.addFilter('oembed_providers', (providers) => ({
     *       ...providers,
     *       'https://videos.example.org/watch/*': ['https://videos.example.org/oembed', false],
     *     }))
     *   },
     * })
     * ```
     * @since 0.1.0
     */
    oembed_providers: [providers: OembedProviders]
    /**
     * The largest size of an embed whose author sets none.
     * @param size in pixels
     * @param url the embedded URL
     * @since 0.1.0
     */
    embed_defaults: [size: EmbedSize, url: string]
    /**
     * The address at which a provider is asked, as to add a token.
     * @param endpoint with all parameters but `format`
     * @param url the embedded URL
     * @param size the largest size, in pixels
     * @since 0.1.0
     */
    oembed_fetch_url: [endpoint: string, url: string, size: EmbedSize]
    /**
     * How long the answer of a provider is cached.
     * @param seconds a day
     * @param url the embedded URL
     * @param size the largest size, in pixels
     * @since 0.1.0
     */
    oembed_ttl: [seconds: number, url: string, size: EmbedSize]
    /**
     * What is shown for a URL for which there is no embed.
     * @param html a link
     * @param url the URL
     * @since 0.1.0
     */
    embed_maybe_make_link: [html: string, url: string]
  }

  interface AsyncFilters {
    /**
     * Answers for a URL before its provider is asked: anything but `null` is what is embedded. It is cached as the answer of
     * a provider.
     * @param html `null`
     * @param url the embedded URL
     * @param size the largest size, in pixels
     * @since 0.1.0
     */
    pre_oembed_result: [html: string | null, url: string, size: EmbedSize]
    /**
     * The HTML that core makes of the answer of a provider, before it is cached.
     * @param html `null` where the answer has nothing to show
     * @param answer the fields of the answer, not checked
     * @param url the embedded URL
     * @since 0.1.0
     */
    oembed_dataparse: [html: string | null, answer: OembedAnswer, url: string]
    /**
     * What is embedded for a URL, before it is cached, after `oembed_dataparse`.
     * @param html `null` where there is nothing to show
     * @param url the embedded URL
     * @param size the largest size, in pixels
     * @since 0.1.0
     */
    oembed_result: [html: string | null, url: string, size: EmbedSize]
    /**
     * What is embedded for a URL, each time that it is shown. While previews are on, it is loaded after a click.
     * @param html the HTML, as it is cached
     * @param url the embedded URL
     * @param size the largest size, in pixels
     * @param post the post that it stands in
     * @since 0.1.0
     */
    embed_oembed_html: [html: string, url: string, size: EmbedSize, post: Post]
  }
}

/** What these filters may return at run time. */
export const filterShapes = {
  oembed_providers: recordOf(listOf('string', 'boolean')),
  embed_defaults: recordOf('number'),
  oembed_fetch_url: 'string',
  oembed_ttl: 'number',
  embed_maybe_make_link: 'string',
  pre_oembed_result: ['string', 'null'],
  oembed_dataparse: ['string', 'null'],
  oembed_result: ['string', 'null'],
  embed_oembed_html: 'string',
} satisfies FilterShapes
