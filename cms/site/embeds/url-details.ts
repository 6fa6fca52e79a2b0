import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { RestError } from '../../../core/errors.ts'
import type { ResponseOf } from '../../../core/rest/response-schemas.ts'
import type { Rest } from '../../../core/rest/types.ts'
import type { Content } from '../../content/types.ts'
import { addressErrorOf } from '../../http/public-request.ts'
import { createHtmlParser } from '../../text/html-parser.ts'
import { plainText } from '../../text/plain-text.ts'
import { fetchText } from './fetch-text.ts'
import type { RequestLimit } from './request-limit.ts'

/** As in WordPress: the first 150 KB are read, and results are cached for an hour. */
const MOST_BYTES = 150 * 1024
const LIFETIME = 3600_000
const REMEMBERED = 500

/** From the head of a page, in WordPress's order; empty if missing. */
const response = z.object({ title: z.string(), icon: z.string(), description: z.string(), image: z.string() })

type UrlDetails = ResponseOf<typeof response>

const schema = z.object({ url: z.string().max(2000).describe('The URL to process.') })

/**
 * `wp-block-editor/v1/url-details`: title, icon, description and image of a public page, for users who can edit posts.
 */
export function registerUrlDetailsRoute(parts: {
  rest: Rest
  content: Pick<Content, 'postTypes'>
  isTrusted: ((url: URL) => boolean) | undefined
  limit: RequestLimit
  signal: AbortSignal
}): void {
  const { rest, content, isTrusted, limit, signal } = parts
  const known = new LRUCache<string, UrlDetails>({ max: REMEMBERED, ttl: LIFETIME })

  async function read(url: string): Promise<string> {
    const request = { maxBytes: MOST_BYTES, truncate: true, allowsHttp: true, userAgent: 'Pentad' }
    const response = await limit(() => fetchText(url, { ...request, isTrusted, signal })).catch((error) => {
      if (error instanceof RestError) throw error
      return undefined
    })
    if (response?.status !== 200) {
      const message = 'URL not found. Response returned a non-200 status code for this URL.'
      throw new RestError('no_response', message, { status: 404 })
    }
    if (response.text === '') {
      throw new RestError('no_content', 'Unable to retrieve body from response at this URL.', { status: 404 })
    }
    return response.text
  }

  rest.registerRoute('wp-block-editor/v1', {
    method: 'GET',
    path: '/url-details',
    summary: 'Returns the title, icon, description, and image of a remote page.',
    input: schema,
    response,
    async access({ user, can }) {
      for (const { restBase, capabilityType } of content.postTypes().values()) {
        if (restBase !== null && (await can(`edit_${capabilityType[1]}`))) return true
      }
      const message = 'Sorry, you are not allowed to process remote URLs.'
      throw new RestError('rest_cannot_view_url_details', message, { status: user ? 403 : 401 })
    },
    async handler({ input }) {
      const url = input.url.replace(/\/$/, '')
      const parsed = URL.parse(url)
      if (
        !parsed ||
        (parsed.hostname === 'localhost' && !isTrusted?.(parsed)) ||
        addressErrorOf(parsed, { allowsHttp: true, isTrusted }) !== undefined
      ) {
        throw new RestError('rest_invalid_param', 'Invalid parameter(s): url', {
          status: 400,
          params: { url: 'Invalid parameter.' },
          details: {},
        })
      }
      const remembered = known.get(url)
      if (remembered) return remembered
      const details = readDetails(await read(url), parsed)
      known.set(url, details)
      return details
    },
  })
}

/** The first value of each in the head; URLs are absolute. */
function readDetails(html: string, url: URL): UrlDetails {
  const found = { title: '', icon: '', description: '', image: '' }
  let title: string | undefined
  let isHead = true
  const parser = createHtmlParser({
    onopentag(name, { rel = '', href = '', name: meta = '', property = '', content = '' }) {
      if (name === 'body') isHead = false
      if (!isHead) return
      if (name === 'title') title ??= ''
      if (name === 'link' && /^\s*(?:icon|shortcut icon|icon shortcut)\s*$/i.test(rel)) found.icon ||= href.trim()
      if (name !== 'meta') return
      if (/^(?:og:)?description$/i.test(meta.trim())) found.description ||= content.trim()
      if (/^og:image(?::url)?$/i.test(property.trim())) found.image ||= content.trim()
    },
    ontext(text) {
      if (title !== undefined && found.title === '') title += text
    },
    onclosetag(name) {
      if (name === 'title' && title !== undefined) found.title ||= title.trim()
    },
  })
  parser.end(html)
  return {
    title: plainText(found.title),
    icon: absolute(found.icon, url),
    description: plainText(found.description),
    image: absolute(found.image, url),
  }
}

/** As in WordPress, relative to the root of the site; data URLs stay unchanged. */
function absolute(address: string, { origin }: URL): string {
  if (address === '') return ''
  const url = URL.parse(address, `${origin}/`)
  return url && /^(?:https?|data):$/.test(url.protocol) ? url.href : ''
}
