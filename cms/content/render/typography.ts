/** The characters that a language sets for the ones that are typed, as character references. */
export interface Typography {
  readonly openingDouble: string
  readonly closingDouble: string
  readonly openingSingle: string
  readonly closingSingle: string
}

const ENGLISH = marks('&#8220;', '&#8221;', '&#8216;', '&#8217;')
const GERMAN = marks('&#8222;', '&#8220;', '&#8218;', '&#8216;')
const POLISH = marks('&#8222;', '&#8221;', '&#8218;', '&#8217;')
const FRENCH = marks('&#171;&nbsp;', '&nbsp;&#187;', '&#8249;&nbsp;', '&nbsp;&#8250;')
const ITALIAN = marks('&#171;', '&#187;', '&#8220;', '&#8221;')
const SWISS = marks('&#171;', '&#187;', '&#8249;', '&#8250;')
const RUSSIAN = marks('&#171;', '&#187;', '&#8222;', '&#8220;')
const SWEDISH = marks('&#8221;', '&#8221;', '&#8217;', '&#8217;')
const JAPANESE = marks('&#12300;', '&#12301;', '&#12302;', '&#12303;')

/** Quotation marks by BCP 47 language, from the Unicode CLDR. Other languages use the English ones. */
const LANGUAGES: Readonly<Record<string, Typography>> = {
  ...{ de: GERMAN, bg: GERMAN, cs: GERMAN, et: GERMAN, is: GERMAN, lt: GERMAN, sk: GERMAN, sl: GERMAN },
  ...{ hr: POLISH, hu: POLISH, pl: POLISH, ro: POLISH, sr: POLISH },
  ...{ fr: FRENCH, 'fr-CA': FRENCH, 'de-CH': SWISS, 'de-LI': SWISS, 'fr-CH': SWISS, 'it-CH': SWISS },
  ...{ el: ITALIAN, es: ITALIAN, it: ITALIAN, nb: ITALIAN, nn: ITALIAN, no: ITALIAN },
  ...{ be: RUSSIAN, ru: RUSSIAN, uk: RUSSIAN, fi: SWEDISH, sv: SWEDISH, ja: JAPANESE },
}

/** The typography of a language (`de`, `fr-CH`), specific to the region if defined. */
export function typographyOf(language: string): Typography {
  return LANGUAGES[language] ?? LANGUAGES[language.split('-')[0] ?? ''] ?? ENGLISH
}

function marks(openingDouble: string, closingDouble: string, openingSingle: string, closingSingle: string): Typography {
  return { openingDouble, closingDouble, openingSingle, closingSingle }
}
