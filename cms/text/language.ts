import { toLanguage } from '../site/language.ts'

/** Characters by which a language is told: more make it hardly surer, and take time. */
const SAMPLE = 400
/** Fewer are too little to tell a language by. */
const ENOUGH = 60
/** Share of common words of the site's language from which a text needs no telling. */
const PLAIN = 0.25
/** How much a text must be like the language of the site, beside the one that it is most like, to be taken for it. */
const AS_GOOD_AS = 0.9

/** ISO 639-3 of the languages that sites are set to most often, by ISO 639-1; what a text alone tells has all. */
const THREE_LETTERS: Readonly<Record<string, string>> = {
  ...{ ar: 'ara', cs: 'ces', da: 'dan', de: 'deu', el: 'ell', en: 'eng', es: 'spa', fa: 'fas', fi: 'fin', fr: 'fra' },
  ...{ he: 'heb', hi: 'hin', hu: 'hun', id: 'ind', it: 'ita', ja: 'jpn', ko: 'kor', nb: 'nob', nl: 'nld', pl: 'pol' },
  ...{ pt: 'por', ro: 'ron', ru: 'rus', sv: 'swe', th: 'tha', tr: 'tur', uk: 'ukr', vi: 'vie', zh: 'zho' },
}
/** What the detector calls by the name of one of several languages that are written alike. */
const WRITTEN_ALIKE: Readonly<Record<string, string>> = { cmn: 'zho', arb: 'ara', pes: 'fas', sco: 'eng' }

/** What English joins to common words: "it's", "they're", "isn't". The lists have few of these. */
const CONTRACTED = /(?:n['’]t|['’](?:s|m|d|ll|re|ve))$/

/** Words of a language that every text has and no text is about. */
export interface Language {
  /** ISO 639-3: `deu`. */
  readonly code: string
  isCommon(word: string): boolean
}

/**
 * Says in which language a text is written: by the text where it is long enough, else by what the site is set to.
 * @param siteLanguage as the settings hold it: `de_DE`
 */
export type TellLanguage = (text: string, siteLanguage: string) => Language

let loading: Promise<TellLanguage> | undefined

/** Loads the word lists of some sixty languages, once and only when they are first needed. */
export function loadLanguages(): Promise<TellLanguage> {
  loading ??= load()
  return loading
}

async function load(): Promise<TellLanguage> {
  const [{ francAll }, lists] = await Promise.all([import('franc-min'), import('stopword')])
  const languages = new Map<string, Language>()
  for (const [code, list] of Object.entries(lists)) {
    if (!Array.isArray(list)) continue
    const words = new Set(list.map((word) => word.normalize('NFKC').toLowerCase()))
    languages.set(code, { code, isCommon: (word) => words.has(word) || words.has(word.replace(CONTRACTED, '')) })
  }

  return (text, siteLanguage) => {
    const sample = text.slice(0, SAMPLE)
    const [short = 'en'] = toLanguage(siteLanguage).split('-')
    const expected = THREE_LETTERS[short] ?? short
    const own = languages.get(expected)
    if (own && isPlainly(sample, own)) return own
    const isTooShort = sample.length < ENOUGH && isLatin(sample)
    const found = (isTooShort ? [] : francAll(sample)).map(([code, likeness]) => {
      return { code: WRITTEN_ALIKE[code] ?? code, likeness }
    })
    const isExpected = found.some(({ code, likeness }) => code === expected && likeness >= AS_GOOD_AS)
    const best = found[0]?.code ?? 'und'
    const code = isExpected || best === 'und' ? expected : best
    return languages.get(code) ?? { code, isCommon: () => false }
  }
}

/** Whether so many words are common ones of the language that it can be no other. */
function isPlainly(text: string, { isCommon }: Language): boolean {
  const words = text.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? []
  return words.length > 0 && words.filter(isCommon).length >= words.length * PLAIN
}

/** Whether so many languages have the letters of the text that few words do not tell which it is. */
function isLatin(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  return (text.match(/\p{Script=Latin}/gu)?.length ?? 0) >= letters / 2
}
