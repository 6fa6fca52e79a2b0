import { createTranslate, english, fill, type Translate } from '../../text/catalog.ts'
import { decodePo, poFiles } from '../../text/po.ts'

/** The strings of a theme, in the language of the site. Each `%s` is replaced with the next value. */
export interface ThemeTexts {
  __(text: string, ...values: readonly (string | number)[]): string
  /** Singular or plural; `%s` is the number. */
  _n(single: string, plural: string, count: number): string
}

/** The texts of the active theme, in the language of the site. */
export type SiteTexts = () => Promise<ThemeTexts>

/** A folder of a theme with its PO files, by file name. */
interface TranslatedFolder {
  readonly name: string
  readonly translations: ReadonlyMap<string, Buffer>
}

/** The translations of a folder. */
interface FolderTexts {
  has(text: string): boolean
  readonly translate: Translate
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

  function read({ name, translations }: TranslatedFolder, locale: string): FolderTexts | undefined {
    const file = poFiles(name, locale).find((candidate) => translations.has(candidate))
    const source = file === undefined ? undefined : translations.get(file)
    if (file === undefined || source === undefined) return undefined
    try {
      const messages = decodePo(source, name)
      return { has: (text) => text in messages, translate: createTranslate(name, messages) }
    } catch (error) {
      skip(file, error instanceof Error ? error.message : '')
      return undefined
    }
  }

  function open(locale: string): Translate {
    const found = folders.map((folder) => read(folder, locale)).filter((one) => one !== undefined)
    // Each folder has a rule for plural forms of its own.
    return (context, single, plural, count) => {
      const { translate } = found.find(({ has }) => has(single)) ?? { translate: english }
      return translate(context, single, plural, count)
    }
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
