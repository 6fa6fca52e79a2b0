import type { PwaSettings } from '../settings.ts'

/** Characters below an icon that fit everywhere. */
const SHORT_NAME_LENGTH = 12
const NAME_LENGTH = 200
/** A character can have any number of code units; what is longer was made to be so. */
const MOST_UNITS = 2000

/** Costs some milliseconds when it is made. */
let graphemes: Intl.Segmenter | undefined

/** What the app is called; of a site without a title, by its address. */
export function appNames(
  { appName, shortName }: Pick<PwaSettings, 'appName' | 'shortName'>,
  { title, url }: { readonly title: string; readonly url: string },
): { readonly name: string; readonly shortName: string } {
  const name = cut(plainLine(appName) || plainLine(title) || new URL(url).hostname, NAME_LENGTH)
  return { name, shortName: plainLine(shortName) || cut(name, SHORT_NAME_LENGTH) }
}

/** A text as one line of well-formed Unicode, as it may come from a title that somebody else wrote. */
export function plainLine(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
}

/**
 * Not longer than so many characters as people count them; an emoji of several code points is one. Ends with a whole
 * word if there is one.
 */
function cut(text: string, longest: number): string {
  // A character is at least one code unit.
  if (text.length <= longest) return text
  graphemes ??= new Intl.Segmenter()
  const kept = Array.from(graphemes.segment(text.slice(0, MOST_UNITS)), ({ segment }) => segment)
  if (kept.length <= longest) return text.slice(0, MOST_UNITS)
  const start = kept.slice(0, longest).join('')
  const lastWord = kept[longest] === ' ' ? start.length : start.lastIndexOf(' ')
  return (lastWord > 0 ? start.slice(0, lastWord) : start).trim()
}
