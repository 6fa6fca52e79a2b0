import { NAMED } from '../crawlers/known-crawlers.ts'

/** Names for `robots.txt` alone: their operators come as Googlebot and Applebot, and leave what they read out of training. */
const EXTENDED = ['Google-Extended', 'Applebot-Extended']
/** Crawlers of search engines: a site without them is in no search results. Who wants that writes a rule. */
const OF_SEARCH_ENGINES: ReadonlySet<string> = new Set(['Googlebot', 'bingbot', 'Applebot', 'PetalBot'])

const named = NAMED.filter(({ name }) => !OF_SEARCH_ENGINES.has(name))

/** AI crawlers that a site may ask to stay away, by the names that they look for in `robots.txt`. */
export const BLOCKABLE: readonly string[] = [...EXTENDED, ...named.map(({ name }) => name)]

/** Those of them that read pages to train models. */
export const TRAINING: readonly string[] = [
  ...EXTENDED,
  ...named.filter(({ purpose }) => purpose === 'training').map(({ name }) => name),
]
