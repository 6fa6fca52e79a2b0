import { statSync } from 'node:fs'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { escapeHtml } from '../../core/http/escape-html.ts'
import type { Logger } from '../../core/log.ts'
import type { AdminLocale } from './admin-locale.ts'
import { createTranslate, english, fill, type Translate } from './catalog.ts'
import { direction, toLanguage } from './language.ts'
import { type Messages, poFiles, readPo } from './po.ts'

const DOMAIN = 'pentad'

/** The translations that Pentad ships. */
const SHIPPED = join(import.meta.dirname, '../../admin/languages')

/** The language of a page or email that the server renders, and its texts: those of Pentad and its services. */
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
  /** For pages without a client. The same object as long as the translation does not change; a changed file is read within a second. */
  page(locale: string): Promise<PageTexts>
}

interface Catalog {
  readonly messages: Messages
  readonly translate: Translate
}

/** Locales of pages in memory. */
const MAX_LOCALES = 30
/** Milliseconds until the files of a page's locale are looked for again: that takes a tenth of the time of a page. */
const CHECK_INTERVAL = 1000

/**
 * Reads `languages/admin-<locale>.po` in the site folder, else the file that Pentad ships; `admin-de_DE.po` before `admin-de.po`.
 * Reloaded when the file has changed.
 */
export function createTranslations({ siteDir, log }: { siteDir: string; log: Logger }): Translations {
  const folders = [join(siteDir, 'languages'), SHIPPED]
  const known = new Map<string, { readonly version: string; readonly catalog: Catalog | null }>()
  const pages = new LRUCache<string, { readonly translate: Translate; readonly texts: PageTexts; checkedAt: number }>({
    max: MAX_LOCALES,
  })

  function open(path: string): Catalog | null {
    const stats = statOf(path)
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

  function find(locale: string) {
    const names = poFiles('admin', locale)
    let catalog: Catalog | null = null
    for (const path of folders.flatMap((folder) => names.map((name) => join(folder, name)))) {
      catalog = open(path)
      if (catalog) break
    }
    const chosen = toLanguage(locale)
    const language = catalog || /^en\b/.test(chosen) ? chosen : 'en'
    return { catalog, language, direction: direction(language) }
  }

  return {
    async admin(locale) {
      const { catalog, ...found } = find(locale)
      return { ...found, messages: catalog?.messages ?? null }
    },
    async page(locale) {
      const before = pages.get(locale)
      const checkedAt = performance.now()
      if (before && checkedAt - before.checkedAt < CHECK_INTERVAL) return before.texts
      const { catalog, ...found } = find(locale)
      const { translate } = catalog ?? { translate: english }
      if (before?.translate === translate) {
        before.checkedAt = checkedAt
        return before.texts
      }
      const texts: PageTexts = {
        ...found,
        __: (text, ...values) => fill(translate(undefined, text, text, 1), values),
        _n: (single, plural, count) => fill(translate(undefined, single, plural, count), [count]),
        esc_html__: (text, ...values) => fill(escapeHtml(translate(undefined, text, text, 1)), values),
      }
      pages.set(locale, { translate, texts, checkedAt })
      return texts
    },
  }
}

/** `undefined` if there is no such file, or it cannot be read. */
function statOf(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
