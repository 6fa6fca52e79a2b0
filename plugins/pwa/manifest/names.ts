import { LRUCache } from 'lru-cache'
import type { PwaSettings } from '../settings.ts'

/** Characters that fit below an icon on every device. */
const SHORT_NAME_LENGTH = 12
const NAME_LENGTH = 200
/** Limit in code units, since a character can have any number of them. */
const MOST_UNITS = 2000

/** Created lazily because it takes milliseconds. */
let graphemes: Intl.Segmenter | undefined

interface AppNames {
  readonly name: string
  readonly shortName: string
}

/** By settings and site: every page shows the short name, and finding its graphemes takes longer than the rest. */
const known = new LRUCache<string, AppNames>({ max: 10 })

/** Names of the app. Falls back to the host name if the site has no title. */
export function appNames(
  { appName, shortName }: Pick<PwaSettings, 'appName' | 'shortName'>,
  { title, url }: { readonly title: string; readonly url: string },
): AppNames {
  const key = JSON.stringify([appName, shortName, title, url])
  const found = known.get(key)
  if (found) return found
  const name = cut(plainLine(appName) || plainLine(title) || new URL(url).hostname, NAME_LENGTH)
  const names = { name, shortName: plainLine(shortName) || cut(name, SHORT_NAME_LENGTH) }
  known.set(key, names)
  return names
}

/** Normalizes a text to one line of well-formed Unicode. */
export function plainLine(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
}

/**
 * Truncates to a number of graphemes, at a word boundary if possible.
 */
function cut(text: string, longest: number): string {
  // A grapheme is at least one code unit.
  if (text.length <= longest) return text
  graphemes ??= new Intl.Segmenter()
  const kept = Array.from(graphemes.segment(text.slice(0, MOST_UNITS)), ({ segment }) => segment)
  if (kept.length <= longest) return text.slice(0, MOST_UNITS)
  const start = kept.slice(0, longest).join('')
  const lastWord = kept[longest] === ' ' ? start.length : start.lastIndexOf(' ')
  return (lastWord > 0 ? start.slice(0, lastWord) : start).trim()
}
