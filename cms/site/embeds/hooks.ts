import type { FilterShapes } from '../../../core/hooks/shapes.ts'
import { listOf, recordOf } from '../../../core/hooks/value-checks.ts'
import type { Post } from '../../content/types.ts'
import type { EmbedSize, OembedProviders, OembedResponse } from './types.ts'

declare module '../../../core/hooks/names.ts' {
  interface Actions {
    /**
     * Fires after the cached embed of a URL changes, such as after the first response from its provider. Pages that
     * show the embed are tagged with `tag`.
     * @param tag `embed-` and 16 hexadecimal digits.
     * @param url The embedded URL.
     * @since 0.1.0
     */
    oembed_cache_updated: [tag: string, url: string]
  }

  interface Filters {
    /**
     * Filters the oEmbed providers, whose HTML is trusted. `content.addOembedProvider` adds one.
     * @param providers Endpoints by pattern: a URL with `*`, or, if the second item is `true`, a case-insensitive
     * regular expression. `{format}` in an endpoint becomes `json`.
     * @example
     * ```ts
     * import { defineExtension } from 'pentad'
     *
     * export default defineExtension({
     *   id: 'custom-videos',
     *   name: 'Custom videos',
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
     * Filters the maximum size of embeds that do not specify a size.
     * @param size Size in pixels.
     * @param url The embedded URL.
     * @since 0.1.0
     */
    embed_defaults: [size: EmbedSize, url: string]
    /**
     * Filters the URL of an oEmbed request, for example to add a token.
     * @param endpoint The URL with all parameters except `format`.
     * @param url The embedded URL.
     * @param size Maximum size in pixels.
     * @since 0.1.0
     */
    oembed_fetch_url: [endpoint: string, url: string, size: EmbedSize]
    /**
     * Filters how long a provider's response is cached.
     * @param seconds Seconds; one day by default.
     * @param url The embedded URL.
     * @param size Maximum size in pixels.
     * @since 0.1.0
     */
    oembed_ttl: [seconds: number, url: string, size: EmbedSize]
    /**
     * Filters the HTML for a URL that has no embed.
     * @param html A link.
     * @param url The URL.
     * @since 0.1.0
     */
    embed_maybe_make_link: [html: string, url: string]
  }

  interface AsyncFilters {
    /**
     * Filters the embed of a URL before its provider is contacted: any result except `null` is used instead, and cached
     * like the response from a provider.
     * @param html HTML of the embed; `null` before the first callback.
     * @param url The embedded URL.
     * @param size Maximum size in pixels.
     * @since 0.1.0
     */
    pre_oembed_result: [html: string | null, url: string, size: EmbedSize]
    /**
     * Filters the HTML generated from a provider's response, before it is cached.
     * @param html The generated HTML; `null` if the response has nothing to show.
     * @param response The fields of the response, not validated.
     * @param url The embedded URL.
     * @since 0.1.0
     */
    oembed_dataparse: [html: string | null, response: OembedResponse, url: string]
    /**
     * Filters the embed of a URL before it is cached, after `oembed_dataparse`.
     * @param html HTML of the embed; `null` if there is nothing to show.
     * @param url The embedded URL.
     * @param size Maximum size in pixels.
     * @since 0.1.0
     */
    oembed_result: [html: string | null, url: string, size: EmbedSize]
    /**
     * Filters the embed of a URL each time it is shown. With embed previews, it is loaded after a click.
     * @param html The cached HTML.
     * @param url The embedded URL.
     * @param size Maximum size in pixels.
     * @param post The post that contains it.
     * @since 0.1.0
     */
    embed_oembed_html: [html: string, url: string, size: EmbedSize, post: Post]
  }
}

/** Valid results of these filters, checked at run time. */
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
