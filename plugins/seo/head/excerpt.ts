import { type ExtensionHost, findEmbedUrls, type Post, toLanguage } from 'pentad'

/** Characters that search results show of a description. */
const LONGEST = 160
/** Characters of a content that are read for its beginning. */
const READ = 20_000

/**
 * The excerpt that a post's author wrote, or the beginning of its text without the URLs that are embedded, as long as search
 * results show it.
 */
export async function excerptOf({ content }: Pick<ExtensionHost, 'content'>, post: Post): Promise<string> {
  const language = toLanguage(content.siteSettings().language)
  const words = (await content.publicExcerpt(post)) || withoutEmbeds(await content.publicText(post, READ), post)
  return shortened(words, language)
}

/** The URL of an embed says nothing to who reads a description. */
function withoutEmbeds(text: string, post: Post): string {
  const urls = new Set(findEmbedUrls(post.content.slice(0, READ)).map(({ url }) => url))
  if (urls.size === 0) return text
  return text
    .split(/\s+/)
    .filter((word) => !urls.has(word))
    .join(' ')
}

/** To make one takes longer than to use it; a site has few languages. */
const segmenters = new Map<string, Intl.Segmenter>()

function segmenterOf(language: string): Intl.Segmenter {
  const segmenter = segmenters.get(language) ?? new Intl.Segmenter(language, { granularity: 'word' })
  segmenters.set(language, segmenter)
  return segmenter
}

/** The first whole words of a text, with `…` where something was left out. Words are those of the language. */
export function shortened(text: string, language: string, longest = LONGEST): string {
  if (text.length <= longest) return text
  let end = 0
  const words = segmenterOf(language).segment(text.slice(0, longest))
  for (const { index, isWordLike } of words) if (isWordLike && index > 0) end = index
  // The last word may be cut, so it goes; one that is longer than all there is room for is cut between letters.
  const kept = end > 0 ? text.slice(0, end) : text.slice(0, longest - 1)
  return `${kept.toWellFormed().replace(/[\s\p{P}\uFFFD]+$/u, '')}…`
}
