import { z } from 'zod'
import type { JsonValue } from '../../core/options/types.ts'
import { cleanPostHtml } from '../content/sanitize-post.ts'
import { allowedHeaders } from './headers.ts'

/** A value from the guest: it comes from `JSON.parse`, so checking each part of it would only cost time. */
export const jsonValue = z.custom<JsonValue>((value) => value !== undefined)

/** Members that no sandboxed extension receives. */
const HIDDEN = new Set([
  ...['password', 'email', 'login', 'authorEmail', 'authorIp', 'authorAgent', 'registered'],
  ...['scriptNonce', 'signal', 'request', 'user', 'caller'],
  // A former name, which warns when it is read.
  'answered',
])
/** Methods of arguments that the guest may call: the call is recorded and made by the host. */
const METHODS = ['print', 'redirect', 'respond', 'addTags'] as const
const DEEPEST = 12
/** HTML is sanitized on the thread of the site, at about 4 MB per second, and any text becomes part of a page. In characters. */
const MOST_TEXT = 256 * 1024

/** Text that may still be added. */
interface Added {
  left: number
}

type Method = (typeof METHODS)[number]
type Callable = Partial<Record<Method, (...args: unknown[]) => void>>

/**
 * A value as JSON for the guest: without functions, secrets, and the text of posts that it may not read.
 *
 * @param mayRead - Whether it may read a post, by status and type.
 */
export function toGuest(value: unknown, mayRead: (post: PostLike) => boolean, depth = 0): unknown {
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null) return typeof value === 'function' ? undefined : value
  if (depth > DEEPEST) return null
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Set || Array.isArray(value))
    return Array.from(value, (one) => toGuest(one, mayRead, depth + 1) ?? null)
  const methods = METHODS.filter((name) => typeof Reflect.get(value, name) === 'function')
  const isHidden = isPost(value) && !mayRead(value)
  const members = membersOf(value).flatMap((key): [string, unknown][] => {
    if (HIDDEN.has(key)) return []
    if (isHidden && (key === 'content' || key === 'excerpt' || key === 'title')) return [[key, '']]
    return [[key, toGuest(Reflect.get(value, key), mayRead, depth + 1)]]
  })
  return { ...Object.fromEntries(members), ...(methods.length > 0 && { $methods: methods }) }
}

/** The posts in a value at any depth, such as that of the block that `render_block` passes. */
export function postsIn(value: unknown, found = new Set<PostLike>(), depth = 0): ReadonlySet<PostLike> {
  if (typeof value !== 'object' || value === null || value instanceof Date || depth > DEEPEST) return found
  if (isPost(value)) return found.add(value)
  const members =
    value instanceof Set || Array.isArray(value)
      ? Array.from(value)
      : membersOf(value).flatMap((key) => (HIDDEN.has(key) ? [] : [Reflect.get(value, key)]))
  for (const member of members) postsIn(member, found, depth + 1)
  return found
}

/** The number of values in a value that was serialized as JSON; not exact beyond `most`. */
export function countValues(value: unknown, most: number): number {
  let count = 1
  if (typeof value !== 'object' || value === null) return count
  for (const member of Object.values(value)) {
    if (count > most) break
    count += countValues(member, most - count)
  }
  return count
}

/** Own members, and getters of its class such as those of a page. */
function membersOf(value: object): string[] {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (typeof prototype !== 'object' || prototype === null || prototype === Object.prototype) return Object.keys(value)
  const getters = Object.entries(Object.getOwnPropertyDescriptors(prototype)).filter(([, { get }]) => get !== undefined)
  return [...Object.keys(value), ...getters.map(([name]) => name)]
}

export interface PostLike {
  readonly id: number
  readonly type: string
  readonly status: string
  readonly password?: unknown
}

export function isPost(value: object): value is PostLike {
  return (
    'id' in value && 'guid' in value && 'status' in value && 'commentStatus' in value && typeof value.id === 'number'
  )
}

/** Makes the calls that the guest recorded for its arguments. @param effects - `[index, method, arguments]` */
export function applyEffects(effects: unknown, args: readonly unknown[], clean: (value: unknown) => unknown): void {
  if (!Array.isArray(effects)) return
  for (const effect of effects.slice(0, 100)) {
    const [index, name, given] = Array.isArray(effect) ? effect : []
    const target = args[Number(index)]
    const method = METHODS.find((one) => one === name)
    if (method === undefined || typeof target !== 'object' || target === null || !Array.isArray(given)) continue
    const callable: Callable = target
    if (method === 'respond') callable.respond?.(pageResponse(given[0], clean))
    else callable[method]?.(...given.map(method === 'print' ? clean : (one) => one))
  }
}

const HTML = /^text\/html(?:;|$)/i
/** XML and text are sent so that a browser runs none of it. */
const PAGE_TYPES = /^(?:text\/html|text\/plain|text\/xml|application\/(?:json|(?:\w+\+)?xml))(?:;|$)/i
const pageResponseSchema = z.object({
  status: z.int().min(200).max(599).default(200),
  headers: z.record(z.string().max(100), z.string().max(4_000)).default({}),
  body: z.string().default(''),
  tags: z.array(z.string().max(100)).max(100).optional(),
})

/** The response of a page from the guest as it may be sent. @throws ZodError if it is none */
function pageResponse(given: unknown, clean: (value: unknown) => unknown) {
  const { status, headers, body, tags } = pageResponseSchema.parse(given)
  // A `Link` header of a page can load style sheets.
  const {
    'content-type': type = 'text/html; charset=utf-8',
    link: _,
    ...others
  } = Object.fromEntries(
    Object.entries(allowedHeaders(headers, PAGE_TYPES)).map(([name, value]) => [name.toLowerCase(), value]),
  )
  const isHtml = HTML.test(type)
  return {
    ...{ status, body: isHtml ? clean(body) : body, ...(tags && { tags }) },
    headers: {
      ...{ ...others, 'content-type': type, 'x-content-type-options': 'nosniff' },
      ...(!isHtml && { 'content-security-policy': "default-src 'none'; sandbox" }),
    },
  }
}

/**
 * A value from the guest as it may be shown: HTML without scripts and whatever else users without `unfiltered_html` may not write. What
 * it received and returns unchanged stays as it was.
 *
 * @param before - The value that the guest received.
 * @throws Error if it has more than 256 KB of new text
 */
export function cleanValue(value: unknown, before: unknown, added = { left: MOST_TEXT }): unknown {
  if (typeof value === 'string') return cleanText(value, typeof before === 'string' ? before : '', added)
  if (Array.isArray(value))
    return value.map((one, at) => cleanValue(one, Array.isArray(before) ? before[at] : undefined, added))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key,
      cleanValue(one, typeof before === 'object' && before !== null ? Reflect.get(before, key) : undefined, added),
    ]),
  )
}

function cleanText(text: string, before: string, added: Added): string {
  if (text === before) return text
  const at = before === '' ? -1 : text.indexOf(before)
  // Only what it added: the text itself may have what authors and other extensions may write.
  if (at >= 0) return clean(text.slice(0, at), added) + before + clean(text.slice(at + before.length), added)
  return clean(text, added)
}

function clean(text: string, added: Added): string {
  if (/^[\s\p{Cc}]*(?:javascript|data|vbscript)\s*:/iu.test(text)) return ''
  added.left -= text.length
  if (added.left < 0) throw new Error('The extension adds more than 256 KB of text.')
  if (!text.includes('<')) return text
  return cleanPostHtml(text)
}
