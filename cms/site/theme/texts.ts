import { createTranslate, english, type Translate } from '../../text/catalog.ts'
import { type Messages, parsePo, poFiles } from '../../text/po.ts'

/** The strings of a theme, in the language of the site. Each `%s` is replaced with the next value. */
export interface ThemeTexts {
  __(text: string, ...values: readonly (string | number)[]): string
  /** Singular or plural; `%s` is the number. */
  _n(single: string, plural: string, count: number): string
}

/** A folder of a theme with its PO files, by file name. */
interface TranslatedFolder {
  readonly name: string
  readonly translations: ReadonlyMap<string, string>
}

/**
 * Reads the translations of a theme, `languages/<name>-<locale>.po`. A child theme needs only its own texts.
 *
 * @param folders in order of precedence
 * @param skip receives files that are not valid
 */
export function createThemeTexts(
  folders: readonly TranslatedFolder[],
  skip: (file: string, problem: string) => void,
): (locale: string) => ThemeTexts {
  /** The language of the site rarely changes. */
  let last: { readonly locale: string; readonly texts: ThemeTexts } | undefined

  function read({ name, translations }: TranslatedFolder, locale: string): Messages | undefined {
    const file = poFiles(name, locale).find((candidate) => translations.has(candidate))
    const source = file === undefined ? undefined : translations.get(file)
    if (file === undefined || source === undefined) return undefined
    try {
      const messages = parsePo(source, name)
      createTranslate(name, messages)
      return messages
    } catch (error) {
      skip(file, error instanceof Error ? error.message : '')
      return undefined
    }
  }

  function open(locale: string): Translate {
    const found = folders.map((folder) => read(folder, locale)).filter((one) => one !== undefined)
    return found.length === 0 ? english : createTranslate('theme', Object.assign({}, ...found.reverse()))
  }

  return (locale) => {
    if (last?.locale !== locale) last = { locale, texts: toTexts(open(locale)) }
    return last.texts
  }
}

const toTexts = (translate: Translate): ThemeTexts => ({
  __: (text, ...values) => fill(translate(undefined, text, text, 1), values),
  _n: (single, plural, count) => fill(translate(undefined, single, plural, count), [count]),
})

export const ENGLISH_TEXTS = toTexts(english)

function fill(text: string, values: readonly (string | number)[]): string {
  if (values.length === 0) return text
  let next = 0
  return text.replaceAll('%s', () => String(values[next++] ?? ''))
}
