import { isUtf8 } from 'node:buffer'

/** Maximum length of a slug in bytes, the width of WordPress's `post_name`. */
const SLUG_BYTES = 200
/** More of a title never reaches its slug. */
const TITLE_LENGTH = 2000

/** Letters that Unicode does not take apart into a base and an accent, as WordPress's `remove_accents` writes them. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ ß: 's', ſ: 's', æ: 'ae', Æ: 'AE', œ: 'oe', Œ: 'OE', ø: 'o', Ø: 'O', đ: 'd', Đ: 'D', ð: 'd', Ð: 'D' },
  ...{ þ: 'th', Þ: 'TH', ł: 'l', Ł: 'L', ı: 'i', ħ: 'h', Ħ: 'H', ŧ: 't', Ŧ: 'T', ŋ: 'n', Ŋ: 'N', ŉ: 'n' },
  ...{ ĸ: 'k', ĳ: 'ij', Ĳ: 'IJ', ŀ: 'l', Ŀ: 'L', ª: 'a', º: 'o', '€': 'E', '£': '' },
}

/** Languages that write a letter out (WordPress's `remove_accents` by locale). */
const LETTERS_OF_LANGUAGE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  de: { Ä: 'Ae', ä: 'ae', Ö: 'Oe', ö: 'oe', Ü: 'Ue', ü: 'ue', ß: 'ss' },
  da: { Æ: 'Ae', æ: 'ae', Ø: 'Oe', ø: 'oe', Å: 'Aa', å: 'aa' },
  ca: { l·l: 'll' },
  sr: { Đ: 'DJ', đ: 'dj' },
  bs: { Đ: 'DJ', đ: 'dj' },
}

const TO_HYPHEN = /%c2%a0|%e2%80%9[0-5]|&nbsp;|&#160;|&[nm]dash;|&#821[12];|\//g
/** Punctuation that WordPress drops from slugs: ¡ ¿ quotes, bullets, ©, ®, °, ellipsis, ™, free accents, joiners, … */
const DROPPED =
  /%c2%(?:ad|a1|bf|ab|bb|a9|ae|b0|b4)|%e2%80%(?:b9|ba|98|99|9c|9d|9a|9b|9e|9f|a2|a6|8b|8c|8d|8e|8f|aa|ab|ac|ad|ae)|%e2%84%a2|%cb%8a|%cc%8[0-4]|%cd%8[01]|%ef%bb%bf|%ef%bf%bc/g

/** Latin letters without their accents, as WordPress's `remove_accents`; other scripts stay. `language` is a locale, `de_DE`. */
export function removeAccents(text: string, language = 'en_US'): string {
  if (!/\P{ASCII}/u.test(text)) return text
  const special = LETTERS_OF_LANGUAGE[language.slice(0, 2)] ?? {}
  let result = text.normalize('NFC')
  for (const [letter, plain] of Object.entries(special)) result = result.replaceAll(letter, plain)
  return result.replace(/\P{ASCII}/gu, (letter) => {
    const plain = LETTERS[letter]
    if (plain !== undefined) return plain
    const base = letter.normalize('NFD')
    return /^[A-Za-z][\u0300-\u036f]+$/.test(base) ? base.charAt(0) : letter
  })
}

/**
 * A title as a slug: WordPress's `sanitize_title` with `sanitize_title_with_dashes` for saving. Lower case, without
 * tags, accents and punctuation; other scripts are percent-encoded in lower case. At most 200 bytes.
 */
export function sanitizeTitle(title: string, language?: string): string {
  const text = removeAccents(title.slice(0, TITLE_LENGTH).replace(/<[^>]*>/g, ''), language)
    // Escaped bytes stay, a lone percent sign goes.
    .replace(/%(?![a-f0-9]{2})/gi, '')
    .replace(/(?:%[a-f0-9]{2})+/gi, wholeCharacters)
    .toLowerCase()
  return cutSlug(encode(text), SLUG_BYTES)
    .replace(TO_HYPHEN, '-')
    .replace(DROPPED, '')
    .replaceAll('%c3%97', 'x')
    .replace(/&[^;]+;/g, '')
    .replaceAll('.', '-')
    .replace(/[^%a-z0-9 _\s-]/g, '')
    .replace(/[\s-]+/g, '-')
    .replace(/^-+|-+$/g, '')
}

/** The slug with `-<number>` at its end, cut so that both fit (WordPress's `_truncate_post_slug`). */
export function numberedSlug(slug: string, number: number): string {
  const suffix = `-${number}`
  return cutSlug(slug, SLUG_BYTES - suffix.length).replace(/-+$/, '') + suffix
}

/** Removes escaped bytes that are not valid UTF-8: a URL with them could not be decoded. */
function wholeCharacters(escaped: string): string {
  const bytes = Buffer.from(escaped.replaceAll('%', ''), 'hex')
  if (isUtf8(bytes)) return escaped
  return encodeURIComponent(bytes.toString().replaceAll('\u{fffd}', ''))
}

function encode(text: string): string {
  return text.toWellFormed().replace(/\P{ASCII}+/gu, (part) => encodeURIComponent(part).toLowerCase())
}

/** Cuts between characters, never inside an encoded one; WordPress's `_truncate_post_slug`. */
export function cutSlug(slug: string, length: number): string {
  if (slug.length <= length) return slug
  let end = 0
  for (const [character] of slug.matchAll(/(?:%[cdef][0-9a-f](?:%[89ab][0-9a-f])+)|%[0-9a-f]{2}|[\s\S]/g)) {
    if (end + character.length > length) break
    end += character.length
  }
  return slug.slice(0, end)
}
