import { z } from 'zod'
import type { Auth } from '../../core/auth/types.ts'
import { RestError } from '../../core/errors.ts'
import type { Hooks } from '../../core/hooks/types.ts'
import { escapeHtml } from '../../core/http/escape-html.ts'
import { RestResponse } from '../../core/rest/response.ts'
import type { Rest } from '../../core/rest/types.ts'
import type { Content, Post } from '../content/types.ts'
import { plainText } from '../text/plain-text.ts'
import { readAddress } from './address/route.ts'
import type { Visibility } from './page/visibility.ts'

/** WordPress's limits for embedded posts, in pixels. */
const MIN_WIDTH = 200
const MAX_WIDTH = 600
const MIN_HEIGHT = 200

const schema = z.object({
  url: z
    .url({ protocol: /^https?$/ })
    .max(2000)
    .describe('The URL of the resource for which to fetch oEmbed data.'),
  format: z.enum(['json', 'xml']).default('json').describe('The format to use.'),
  maxwidth: z.int().default(MAX_WIDTH).describe('The maximum width of the embed frame in pixels.'),
})

/** An index signature: the data is a record of strings and numbers. */
const response: z.ZodType = z.looseObject({
  ...{ version: z.string(), provider_name: z.string(), provider_url: z.string() },
  ...{ author_name: z.string(), author_url: z.string(), title: z.string(), type: z.string() },
  ...{ width: z.int(), height: z.int(), html: z.string() },
  ...{
    thumbnail_url: z.string().optional(),
    thumbnail_width: z.int().optional(),
    thumbnail_height: z.int().optional(),
  },
})

export type OembedData = Readonly<Record<string, string | number>>

/** oEmbed data of public posts of this site. */
export interface OwnOembed {
  /** The post at a URL of this site, if it is public. */
  find(url: string): Promise<Post | undefined>
  /** @param maxWidth in pixels */
  describe(post: Post, maxWidth: number): Promise<OembedData>
}

/** oEmbed data of public posts (https://oembed.com). The HTML is a quotation with a link, without scripts. */
export function createOwnOembed(parts: {
  content: Content
  auth: Auth
  hooks: Hooks
  visibility: Visibility
  origin: string
}): OwnOembed {
  const { content, auth, hooks, visibility, origin } = parts

  async function find(address: string): Promise<Post | undefined> {
    const url = URL.parse(address)
    if (url?.origin !== origin) return undefined
    const { route } = readAddress(url.pathname, url.searchParams, content)
    if (route.to === 'post') return content.posts.get(route.id)
    const path = 'path' in route ? route.path : undefined
    if (path !== undefined) return (await content.posts.getByPath(path)) ?? content.posts.getByFormerPath(path)
    const { showOnFront, pageOnFront } = content.siteSettings()
    return route.to === 'home' && showOnFront === 'page' ? content.posts.get(pageOnFront) : undefined
  }

  async function describe(post: Post, maxWidth: number): Promise<OembedData> {
    const width = Math.min(Math.max(maxWidth, MIN_WIDTH), MAX_WIDTH)
    const site = plainText(content.siteSettings().title)
    const author = await auth.users.get(post.authorId)
    const title = plainText(content.renderTitle(post))
    const link = content.link(post)
    const pictureId = Number((await content.meta.get('post', post.id, '_thumbnail_id')) ?? 0)
    const picture = Number.isSafeInteger(pictureId) && pictureId > 0 ? await content.posts.get(pictureId) : undefined
    const [shown] = picture ? await content.readableIn([picture], post) : []
    const details =
      picture && shown && post.password === '' ? (await content.media.details([picture])).get(picture.id) : undefined
    const size = details?.sizes.medium_large ?? details?.sizes.full
    const data = {
      version: '1.0',
      provider_name: site,
      provider_url: origin,
      author_name: author?.displayName ?? site,
      author_url: author ? origin + content.permalinks().author(author.slug) : origin,
      title,
      type: 'rich',
      width,
      height: Math.max(Math.ceil((width / 16) * 9), MIN_HEIGHT),
      html: `<blockquote class="wp-embedded-content"><a href="${escapeHtml(link)}">${escapeHtml(title)}</a></blockquote>`,
      ...(size && { thumbnail_url: size.url, thumbnail_width: size.width, thumbnail_height: size.height }),
    }
    return hooks.applyFilters('oembed_response_data', data, post, width)
  }

  return {
    async find(url) {
      const post = await find(url)
      return post && (await visibility.mayRead(post, null, false)) ? post : undefined
    },
    describe,
  }
}

/** `oembed/1.0/embed`: oEmbed data of a public post, for other sites. */
export function registerOembedRoute(rest: Rest, own: OwnOembed): void {
  rest.registerRoute('oembed/1.0', {
    method: 'GET',
    path: '/embed',
    access: 'public',
    summary: 'Returns the oEmbed data of a post, for other sites.',
    input: schema,
    response,
    responseTypes: ['text/xml'],
    async handler({ input }) {
      const post = await own.find(input.url)
      if (!post) throw new RestError('oembed_invalid_url', 'Not Found', { status: 404 })
      const data = await own.describe(post, input.maxwidth)
      if (input.format === 'json') return data
      return new RestResponse(toXml(data), { headers: { 'Content-Type': 'text/xml; charset=UTF-8' } })
    },
  })
}

function toXml(data: OembedData): string {
  const elements = Object.entries(data).map(([name, value]) => `<${name}>${escapeHtml(String(value))}</${name}>`)
  return `<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n<oembed>${elements.join('')}</oembed>\n`
}
