import { NAMED } from '../crawlers/known-crawlers.ts'

/**
 * Names for `robots.txt` only: the operators crawl as Googlebot and Applebot, and exclude the content from training.
 */
const EXTENDED = ['Google-Extended', 'Applebot-Extended']
/** Search engine crawlers: blocking them removes the site from search results. Use a custom rule for that. */
const OF_SEARCH_ENGINES: ReadonlySet<string> = new Set(['Googlebot', 'bingbot', 'Applebot', 'PetalBot'])

const named = NAMED.filter(({ name }) => !OF_SEARCH_ENGINES.has(name))

/** AI crawlers that can be blocked, by their names in `robots.txt`. */
export const BLOCKABLE: readonly string[] = [...EXTENDED, ...named.map(({ name }) => name)]

/** Crawlers that collect training data. */
export const TRAINING: readonly string[] = [
  ...EXTENDED,
  ...named.filter(({ purpose }) => purpose === 'training').map(({ name }) => name),
]
