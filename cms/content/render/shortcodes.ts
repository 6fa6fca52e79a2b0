import type { CallbackOptions, Hooks, Undo } from '../../../core/hooks/types.ts'
import type { Logger } from '../../../core/log.ts'
import { createYield } from '../../threads/yielding.ts'
import { LARGE } from '../large-text/index.ts'
import type { Post } from '../types.ts'
import { openingTags, openingTagsInPieces, type Tag } from './html.ts'
import { createFinder } from './scan.ts'
import { readAttributes } from './shortcode-attributes.ts'
import type { Shortcode, ShortcodeHandler } from './types.ts'

/** The shortcodes that a site has now. */
export interface Shortcodes {
  has(name: string): boolean
  /** HTML in place of the shortcode; `null` where its handler failed. */
  run(shortcode: Shortcode, post: Post): Promise<string | null>
}

/**
 * Each shortcode added with `addShortcode` is a filter, so that its handler is guarded, limited in time and inspected like other callbacks.
 */
type ShortcodeHook = `render_shortcode_${string}`
const hookOf = (name: string): ShortcodeHook => `render_shortcode_${name}`

/**
 * WordPress's `add_shortcode`: registers the handler of a shortcode with the given hooks. The last registration of a name applies.
 * @returns a function that undoes it
 * @throws TypeError for a name with characters other than letters, digits, `_` and `-`
 */
export function addShortcode(
  hooks: Pick<Hooks, 'addFilter'>,
  name: string,
  handler: ShortcodeHandler,
  options: Pick<CallbackOptions, 'onError'> = {},
): Undo {
  if (!/^[\w-]+$/.test(name)) {
    throw new TypeError(`The shortcode "${name}" must consist of letters, digits, _ and -.`)
  }
  return hooks.addFilter(hookOf(name), (_html, shortcode, post) => handler(shortcode, post), options)
}

/**
 * The handlers from the `shortcode_tags` filter and from `addShortcode`.
 * @param own core's handlers, the initial value of the filter
 */
export function findHandlers(hooks: Hooks, own: Readonly<Record<string, ShortcodeHandler>>, log: Logger): Shortcodes {
  const tags = hooks.applyFilters('shortcode_tags', own)
  const isAdded = (name: string) => hooks.hasFilter(hookOf(name))
  return {
    has: (name) => Object.hasOwn(tags, name) || isAdded(name),
    async run(shortcode, post) {
      if (isAdded(shortcode.name)) return hooks.applyFiltersAsync(hookOf(shortcode.name), null, shortcode, post)
      try {
        return (await tags[shortcode.name]?.(shortcode, post)) ?? null
      } catch (error) {
        log.error({ err: error, shortcode: shortcode.name, post: post.id }, 'shortcode failed, shown as plain text')
        return null
      }
    },
  }
}

/** A shortcode and where it stands. */
export interface FoundShortcode extends Shortcode {
  readonly start: number
  readonly end: number
  /** Written `[[name]]`: shown as `[name]`, not run. */
  readonly escaped: boolean
}

const NAME = /[\w-]+/y
/** Shortcodes within shortcodes are followed no deeper. */
const DEPTH = 10

/**
 * The outermost shortcodes of a text, by WordPress's grammar (`get_shortcode_regex`): known names only, not inside HTML tags. Linear,
 * whereas WordPress's regular expression scans the rest of the text again for each unclosed shortcode. A generator, so that the caller can
 * yield to the event loop.
 * @param tags the opening tags of the text, if already known
 */
export function* findShortcodes(
  text: string,
  names: (name: string) => boolean,
  tags?: readonly Tag[],
): Generator<FoundShortcode, void> {
  const closings = new Map<string, (from: number) => number>()
  const findBracket = createFinder(text, /\]/g)
  let tag = 0
  for (let start = text.indexOf('['); start >= 0; start = text.indexOf('[', start + 1)) {
    NAME.lastIndex = start + 1
    const name = NAME.exec(text)?.[0]
    if (name === undefined || !names(name)) continue
    const bracket = findBracket(start)
    if (bracket < 0) break
    tags ??= openingTags(text)
    while ((tags[tag]?.end ?? Number.POSITIVE_INFINITY) <= start) tag++
    if ((tags[tag]?.start ?? Number.POSITIVE_INFINITY) < start) continue

    const selfClosing = text[bracket - 1] === '/'
    const closing = selfClosing ? -1 : nextClosing(name, bracket + 1)
    const attributes = readAttributes(text.slice(NAME.lastIndex, selfClosing ? bracket - 1 : bracket))
    const content = closing < 0 ? null : text.slice(bracket + 1, closing)
    const end = closing < 0 ? bracket + 1 : closing + name.length + 3
    const escaped = text[start - 1] === '[' && text[end] === ']'
    yield { name, ...attributes, content, start, end, escaped }
    start = end - 1
  }

  function nextClosing(name: string, from: number): number {
    const find = closings.get(name) ?? createFinder(text, new RegExp(`\\[/${name}\\]`, 'g'))
    closings.set(name, find)
    return find(from)
  }
}

/** Like `findShortcodes`, for a text that may be large: its tags are read in slices. */
async function findAll(text: string, shortcodes: Shortcodes): Promise<Iterable<FoundShortcode>> {
  if (text.length < LARGE) return findShortcodes(text, shortcodes.has)
  const isNone = findShortcodes(text, shortcodes.has, []).next().done
  return isNone ? [] : findShortcodes(text, shortcodes.has, await openingTagsInPieces(text))
}

/** Replaces each shortcode by the result of `replace`; `null` leaves it unchanged. */
async function replaceShortcodes(
  text: string,
  shortcodes: Shortcodes,
  replace: (shortcode: FoundShortcode) => Promise<string | null>,
): Promise<string> {
  const yieldTurn = createYield()
  let html = ''
  let from = 0
  for (const shortcode of await findAll(text, shortcodes)) {
    const { start, end, escaped } = shortcode
    await yieldTurn()
    if (escaped) {
      html += `${text.slice(from, start - 1)}${text.slice(start, end)}`
      from = end + 1
    } else {
      html += text.slice(from, start) + ((await replace(shortcode)) ?? text.slice(start, end))
      from = end
    }
  }
  return html + text.slice(from)
}

/**
 * Runs the shortcodes of a text, including nested ones. A failed self-closing shortcode is left as text; a failed enclosing one is replaced
 * by nothing, because it may hide its content from some visitors.
 */
export async function runShortcodes(text: string, shortcodes: Shortcodes, post: Post, depth = 0): Promise<string> {
  if (depth > DEPTH || !text.includes('[')) return text
  return replaceShortcodes(text, shortcodes, async ({ name, attributes, values, content }) => {
    const inner = content === null ? null : await runShortcodes(content, shortcodes, post, depth + 1)
    const html = await shortcodes.run({ name, attributes, values, content: inner }, post)
    return html ?? (content === null ? null : '')
  })
}

/** The text without its shortcodes and what they enclose, `gap` in the place of each; WordPress's `strip_shortcodes`. */
export async function stripShortcodes(text: string, shortcodes: Shortcodes, gap = ''): Promise<string> {
  return text.includes('[') ? replaceShortcodes(text, shortcodes, async () => gap) : text
}

/** Removes the paragraph around a shortcode that is alone in it; WordPress's `shortcode_unautop`. */
export async function unwrapShortcodes(html: string, shortcodes: Shortcodes): Promise<string> {
  if (!html.includes('[')) return html
  const yieldTurn = createYield()
  let unwrapped = ''
  let from = 0
  for (const { start, end, escaped } of await findAll(html, shortcodes)) {
    await yieldTurn()
    const before = html.slice(from, start).trimEnd()
    const after = /\s*<\/p>/y
    after.lastIndex = end
    if (escaped || !before.endsWith('<p>') || !after.test(html)) continue
    unwrapped += before.slice(0, -'<p>'.length) + html.slice(start, end)
    from = after.lastIndex
  }
  return unwrapped + html.slice(from)
}
