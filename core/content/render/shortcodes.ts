import { attrs } from '@wordpress/shortcode'
import type { Logger } from '../../log.ts'
import type { Post } from '../types.ts'
import type { Shortcode, ShortcodeHandler } from './hooks.ts'
import { openingTags, type Tag } from './html.ts'

export type Shortcodes = Readonly<Record<string, ShortcodeHandler>>

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
 * The outermost shortcodes of a text, by WordPress's grammar (`get_shortcode_regex`): only known names count, those
 * inside of an HTML tag do not. Walks the text once, where the regular expression of WordPress goes over the rest of
 * it again for each shortcode that is never closed.
 */
export function findShortcodes(text: string, names: (name: string) => boolean): FoundShortcode[] {
  const found: FoundShortcode[] = []
  const closings = new Map<string, number>()
  let tags: Tag[] | undefined
  let tag = 0
  for (let start = text.indexOf('['); start >= 0; start = text.indexOf('[', start + 1)) {
    NAME.lastIndex = start + 1
    const name = NAME.exec(text)?.[0]
    if (name === undefined || !names(name)) continue
    const bracket = text.indexOf(']', start)
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
    found.push({ name, ...attributes, content, start, end, escaped })
    start = end - 1
  }
  return found

  function nextClosing(name: string, from: number): number {
    let closing = closings.get(name) ?? 0
    if (closing >= 0 && closing < from) {
      closing = text.indexOf(`[/${name}]`, from)
      closings.set(name, closing)
    }
    return closing
  }
}

function readAttributes(text: string): Pick<Shortcode, 'attributes' | 'values'> {
  const { named, numeric } = attrs(text)
  // The package keeps every text it ever parsed.
  attrs.clear()
  const attributes: Record<string, string> = {}
  for (const [name, value] of Object.entries(named)) attributes[name] = value ?? ''
  return { attributes, values: numeric }
}

/** Puts what `replace` answers in the place of each shortcode; `null` leaves it as it is. */
async function replaceShortcodes(
  text: string,
  shortcodes: Shortcodes,
  replace: (shortcode: FoundShortcode) => Promise<string | null>,
): Promise<string> {
  const found = findShortcodes(text, (name) => Object.hasOwn(shortcodes, name))
  let html = ''
  let from = 0
  for (const shortcode of found) {
    const { start, end, escaped } = shortcode
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

/** Runs the shortcodes of a text, those within the content of others too. One that fails stays as text. */
export async function runShortcodes(
  text: string,
  shortcodes: Shortcodes,
  post: Post,
  log: Logger,
  depth = 0,
): Promise<string> {
  if (depth > DEPTH || !text.includes('[')) return text
  return replaceShortcodes(text, shortcodes, async (shortcode) => {
    const handler = shortcodes[shortcode.name]
    if (!handler) return null
    try {
      const { content } = shortcode
      const inner = content === null ? null : await runShortcodes(content, shortcodes, post, log, depth + 1)
      return await handler({ ...shortcode, content: inner }, post)
    } catch (error) {
      log.error({ err: error, shortcode: shortcode.name, post: post.id }, 'A shortcode failed and is shown as text.')
      return null
    }
  })
}

/** The text without its shortcodes and what they enclose; WordPress's `strip_shortcodes`. */
export async function stripShortcodes(text: string, shortcodes: Shortcodes): Promise<string> {
  return text.includes('[') ? replaceShortcodes(text, shortcodes, async () => '') : text
}

/** Takes away the paragraph around a shortcode that stands alone in it; WordPress's `shortcode_unautop`. */
export function unwrapShortcodes(html: string, shortcodes: Shortcodes): string {
  if (!html.includes('[')) return html
  let unwrapped = ''
  let from = 0
  for (const { start, end, escaped } of findShortcodes(html, (name) => Object.hasOwn(shortcodes, name))) {
    const before = html.slice(from, start).trimEnd()
    const after = /\s*<\/p>/y
    after.lastIndex = end
    if (escaped || !before.endsWith('<p>') || !after.test(html)) continue
    unwrapped += before.slice(0, -'<p>'.length) + html.slice(start, end)
    from = after.lastIndex
  }
  return unwrapped + html.slice(from)
}
