import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { escapeHtml } from '../../core/http/escape-html.ts'
import type { Logger } from '../../core/log.ts'
import type { AdminLocale } from './admin-locale.ts'
import { createTranslate, english, fill, type Translate } from './catalog.ts'
import { direction, toLanguage } from './language.ts'
import { type Messages, poFiles, readPo } from './po.ts'

const DOMAIN = 'pentad'

/** The translations that Pentad ships. */
const SHIPPED = join(import.meta.dirname, '../../admin/languages')

/** The language of a page or email that the server renders, and its texts. */
export interface PageTexts {
  /** BCP 47. */
  readonly language: string
  readonly direction: 'ltr' | 'rtl'
  /** The translation of a text. The values replace `%s` or `%1$s`. */
  __(text: string, ...values: readonly (string | number)[]): string
  /** Singular or plural; `%s` is the number. */
  _n(single: string, plural: string, count: number): string
  /** The translation of a text as HTML, as WordPress's function of this name. The values, which are HTML, replace `%s` or `%1$s`. */
  esc_html__(text: string, ...values: readonly string[]): string
}

/**
 * Texts in the language of a reader.
 *
 * @param reader the user who reads the page or email, who may have a language; without one, the language is that of the site
 */
export type TextsFor = (reader?: { readonly locale: string } | null) => Promise<PageTexts>

/**
 * The translations of the admin, the login pages, and emails. English, left to right, if there is none for a locale.
 *
 * Locales are as in settings: `de_DE`, `de_DE_formal`, `pt-BR`.
 */
export interface Translations {
  /** For the client, which translates in the browser. */
  admin(locale: string): Promise<AdminLocale>
  /** For pages without a client. */
  page(locale: string): Promise<PageTexts>
}

interface Catalog {
  readonly messages: Messages
  readonly translate: Translate
}

/**
 * Reads `languages/admin-<locale>.po` in the site folder, else the file that Pentad ships; `admin-de_DE.po` before `admin-de.po`.
 * Reloaded when the file has changed.
 */
export function createTranslations({ siteDir, log }: { siteDir: string; log: Logger }): Translations {
  const folders = [join(siteDir, 'languages'), SHIPPED]
  const known = new Map<string, { readonly version: string; readonly catalog: Catalog | null }>()

  async function open(path: string): Promise<Catalog | null> {
    const stats = await stat(path).catch(() => undefined)
    if (!stats?.isFile()) {
      known.delete(path)
      return null
    }
    // The size too: two writes can have the same time.
    const version = `${stats.mtimeMs} ${stats.size}`
    const before = known.get(path)
    if (before?.version === version) return before.catalog
    const catalog = read(path)
    known.set(path, { version, catalog })
    return catalog
  }

  function read(path: string): Catalog | null {
    try {
      const messages = readPo(path, DOMAIN)
      return { messages, translate: createTranslate(DOMAIN, messages) }
    } catch (error) {
      log.warn({ err: error, file: path }, 'admin translation unreadable, showing English')
      return null
    }
  }

  async function find(locale: string) {
    const names = poFiles('admin', locale)
    let catalog: Catalog | null = null
    for (const path of folders.flatMap((folder) => names.map((name) => join(folder, name)))) {
      catalog = await open(path)
      if (catalog) break
    }
    const chosen = toLanguage(locale)
    const language = catalog || /^en\b/.test(chosen) ? chosen : 'en'
    return { catalog, language, direction: direction(language) }
  }

  return {
    async admin(locale) {
      const { catalog, ...found } = await find(locale)
      return { ...found, messages: catalog?.messages ?? null }
    },
    async page(locale) {
      const { catalog, ...found } = await find(locale)
      const { translate } = catalog ?? { translate: english }
      return {
        ...found,
        __: (text, ...values) => fill(translate(undefined, text, text, 1), values),
        _n: (single, plural, count) => fill(translate(undefined, single, plural, count), [count]),
        esc_html__: (text, ...values) => fill(escapeHtml(translate(undefined, text, text, 1)), values),
      }
    },
  }
}
