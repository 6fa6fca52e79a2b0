import { LRUCache } from 'lru-cache'
import { type ExtensionHost, findEmbedUrls, type Post, toLanguage } from 'pentad'

/** Maximum length of a description in search results. */
const LONGEST = 160
/** Maximum length of content read for an excerpt. */
const READ = 20_000

/**
 * The manual excerpt of a post, or the start of its content without URLs of embeds, cut to the length shown in search
 * results.
 */
export async function excerptOf({ content }: Pick<ExtensionHost, 'content'>, post: Post): Promise<string> {
  const language = toLanguage(content.siteSettings().language)
  const words = (await content.publicExcerpt(post)) || withoutEmbeds(await content.publicText(post, READ), post)
  return shortened(words, language)
}

/** URLs of embeds do not describe the post. */
function withoutEmbeds(text: string, post: Post): string {
  if (!/https?:/i.test(text)) return text
  const urls = new Set(findEmbedUrls(post.content.slice(0, READ)).map(({ url }) => url))
  if (urls.size === 0) return text
  return text
    .split(/\s+/)
    .filter((word) => !urls.has(word))
    .join(' ')
}

/** By language and beginning of the text: finding words takes longer than the rest of a description. */
const ends = new LRUCache<string, number>({ max: 2000 })
/** Cached per language, because a segmenter takes longer to create than to use. */
const segmenters = new Map<string, Intl.Segmenter>()

function segmenterOf(language: string): Intl.Segmenter {
  const segmenter = segmenters.get(language) ?? new Intl.Segmenter(language, { granularity: 'word' })
  segmenters.set(language, segmenter)
  return segmenter
}

/** Where the last word starts, unless it is the first. */
function lastWordIn(text: string, language: string): number {
  const key = `${language} ${text}`
  const known = ends.get(key)
  if (known !== undefined) return known
  let end = 0
  for (const { index, isWordLike } of segmenterOf(language).segment(text)) if (isWordLike && index > 0) end = index
  ends.set(key, end)
  return end
}

/** The first whole words of a text, with `…` if it was truncated. Uses the word boundaries of the language. */
export function shortened(text: string, language: string, longest = LONGEST): string {
  if (text.length <= longest) return text
  const end = lastWordIn(text.slice(0, longest), language)
  // The last word may be incomplete, so it is dropped; a word that is longer than the limit is cut between characters.
  const start = end > 0 ? text.slice(0, end) : text.slice(0, longest - 1)
  return `${start.toWellFormed().replace(/[\s\p{P}\uFFFD]+$/u, '')}…`
}
