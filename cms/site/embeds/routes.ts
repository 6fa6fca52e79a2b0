import { z } from 'zod'
import { RestError } from '../../../core/errors.ts'
import type { Rest } from '../../../core/rest/types.ts'
import type { OwnOembed } from '../oembed.ts'
import type { Resolver } from './resolver.ts'

/** WordPress's `oembed_default_width`, with a proportional height as in `wp_embed_defaults`. */
const WIDTH = 600
const HEIGHT = 900
/** Widths requested from providers: each size of a URL is a separate request and cache entry. */
const SMALLEST = 150
const SIDES = [1200, 900, 600, 300, SMALLEST]

const schema = z.object({
  url: z.string().max(2000).describe('The URL of the resource for which to fetch oEmbed data.'),
  format: z.enum(['json', 'xml']).default('json').describe('The oEmbed format to use.'),
  maxwidth: z.int().min(0).max(10_000).default(WIDTH).describe('The maximum width of the embed frame in pixels.'),
  maxheight: z.int().min(0).max(10_000).optional().describe('The maximum height of the embed frame in pixels.'),
  discover: z
    .boolean()
    .default(true)
    .describe(
      'Whether to perform an oEmbed discovery request for unsanctioned providers. Ignored: discovery is not supported.',
    ),
})

/** Unvalidated fields of a provider. */
const response: z.ZodType = z.looseObject({ html: z.union([z.string(), z.literal(false)]) })

/** `oembed/1.0/proxy`: embed data for editors, from the cache or the provider. */
export function registerEmbedRoutes(parts: { rest: Rest; resolver: Resolver; own: OwnOembed }): void {
  const { rest, resolver, own } = parts
  rest.registerRoute('oembed/1.0', {
    method: 'GET',
    path: '/proxy',
    summary: 'Returns the oEmbed data of a URL from its provider.',
    input: schema,
    response,
    async access({ user, can }) {
      if (await can('edit_posts')) return true
      const message = 'Sorry, you are not allowed to make proxied oEmbed requests.'
      throw new RestError('rest_forbidden', message, { status: user ? 403 : 401 })
    },
    async handler({ input: { url, maxwidth, maxheight } }) {
      const post = await own.find(url)
      if (post) return own.describe(post, maxwidth)
      const size = { width: side(maxwidth || WIDTH), height: side(maxheight || HEIGHT) }
      const hasProvider = resolver.has(url)
      const embed = hasProvider ? await resolver.resolve({ url, ...size }) : undefined
      if (!embed?.answer && !embed?.html) {
        // For the editor: only a URL of a provider is worth another try.
        throw new RestError('oembed_invalid_url', 'Not Found', { status: 404, ...(hasProvider && { hasProvider }) })
      }
      return { ...embed.answer, html: embed.html ?? false }
    },
  })
}

/** The largest size that fits; otherwise the smallest. */
function side(most: number): number {
  return SIDES.find((one) => one <= most) ?? SMALLEST
}
