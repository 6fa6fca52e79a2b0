import { toLanguage } from './language.ts'

/** Characters used for language detection: more take time and hardly improve the result. */
const SAMPLE = 400
/** Minimum length for detection. */
const ENOUGH = 60
/** Share of common words of the site's language from which a text needs no telling. */
const PLAIN = 0.25
/** Minimum similarity to the site's language, relative to the best match, for choosing the site's language. */
const AS_GOOD_AS = 0.9

/** ISO 639-3 codes of common site languages, by ISO 639-1; detection supports all. */
const THREE_LETTERS: Readonly<Record<string, string>> = {
  ...{ ar: 'ara', cs: 'ces', da: 'dan', de: 'deu', el: 'ell', en: 'eng', es: 'spa', fa: 'fas', fi: 'fin', fr: 'fra' },
  ...{ he: 'heb', hi: 'hin', hu: 'hun', id: 'ind', it: 'ita', ja: 'jpn', ko: 'kor', nb: 'nob', nl: 'nld', pl: 'pol' },
  ...{ pt: 'por', ro: 'ron', ru: 'rus', sv: 'swe', th: 'tha', tr: 'tur', uk: 'ukr', vi: 'vie', zh: 'zho' },
}
/** Detected languages that stand for a group of languages or a variant with the same script. */
const WRITTEN_ALIKE: Readonly<Record<string, string>> = { cmn: 'zho', arb: 'ara', pes: 'fas', sco: 'eng' }

/** English contractions: "it's", "they're", "isn't", which stop word lists mostly lack. */
const CONTRACTED = /(?:n['’]t|['’](?:s|m|d|ll|re|ve))$/

/** The stop words of a language. */
export interface Language {
  /** ISO 639-3: `deu`. */
  readonly code: string
  isCommon(word: string): boolean
}

/**
 * Determines the language of a text: detected if the text is long enough, otherwise the language of the site.
 * @param siteLanguage as in the settings: `de_DE`
 */
export type DetectLanguage = (text: string, siteLanguage: string) => Language

let loading: Promise<DetectLanguage> | undefined

/** Loads the word lists of some sixty languages, once and only when they are first needed. */
export function loadLanguages(): Promise<DetectLanguage> {
  loading ??= load()
  return loading
}

async function load(): Promise<DetectLanguage> {
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

/** Whether enough words of the text are stop words of the language. */
function isPlainly(text: string, { isCommon }: Language): boolean {
  const words = text.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? []
  return words.length > 0 && words.filter(isCommon).length >= words.length * PLAIN
}

/** Whether the text is in Latin script, in which a few words do not identify the language. */
function isLatin(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  return (text.match(/\p{Script=Latin}/gu)?.length ?? 0) >= letters / 2
}
