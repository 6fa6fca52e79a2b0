import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from '../../core/log.ts'
import { direction, toLanguage } from '../site/language.ts'
import type { AdminLocale } from './page-data.ts'

/** Jed's format: texts by `msgid`, or by `context\u0004msgid`; the plural rule under `''`. */
export type Messages = NonNullable<AdminLocale['messages']>

const DOMAIN = 'pentad'
/** Separates context and text in a key of Jed's format. */
const CONTEXT_DELIMITER = '\u0004'
const LOCALE = /^[a-z]{2,3}(?:[_-][a-z0-9]+){0,3}$/i

/** The translations that Pentad ships. */
const SHIPPED = join(import.meta.dirname, '../../admin/languages')

/**
 * The translations of the admin: `languages/admin-<locale>.po` in the site folder, else the one that Pentad ships;
 * `admin-de_DE.po` before `admin-de.po`. Reloaded when the file has changed.
 */
export function createTranslations({ siteDir, log }: { siteDir: string; log: Logger }) {
  const folders = [join(siteDir, 'languages'), SHIPPED]
  const known = new Map<string, { readonly changed: number; readonly messages: Messages | null }>()

  async function open(path: string): Promise<Messages | null> {
    const stats = await stat(path).catch(() => undefined)
    if (!stats?.isFile()) {
      known.delete(path)
      return null
    }
    const before = known.get(path)
    if (before?.changed === stats.mtimeMs) return before.messages
    const messages = await read(path)
    known.set(path, { changed: stats.mtimeMs, messages })
    return messages
  }

  async function read(path: string): Promise<Messages | null> {
    try {
      return await toJed(await readFile(path))
    } catch (error) {
      log.warn({ err: error, file: path }, 'admin translation unreadable, showing English')
      return null
    }
  }

  async function find(locale: string): Promise<Messages | null> {
    if (!LOCALE.test(locale)) return null
    const parts = locale.replaceAll('-', '_').split('_')
    const names = parts.map((_, at) => `admin-${parts.slice(0, parts.length - at).join('_')}.po`)
    for (const path of folders.flatMap((folder) => names.map((name) => join(folder, name)))) {
      const messages = await open(path)
      if (messages) return messages
    }
    return null
  }

  /**
   * The language of the admin: English, left to right, if there is no translation.
   *
   * @param locale as stored in settings: `de_DE`, `de_DE_formal`, `pt-BR`
   */
  return async (locale: string): Promise<AdminLocale> => {
    const messages = await find(locale)
    const language = toLanguage(locale)
    const shown = messages || /^en\b/.test(language) ? language : 'en'
    return { language: shown, direction: direction(shown), messages }
  }
}

/** @throws Error if it is not a valid PO file */
async function toJed(file: Buffer): Promise<Messages> {
  // Its tables of encodings are large, and an admin in English needs none.
  const { po } = await import('gettext-parser')
  const { headers, translations } = po.parse(file)
  const header = (name: string) => Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  const messages: Record<string, Messages[string]> = {
    '': { domain: DOMAIN, lang: header('language') ?? '', plural_forms: header('plural-forms') ?? '' },
  }
  for (const entries of Object.values(translations)) {
    for (const { msgid, msgctxt, msgstr, comments } of Object.values(entries)) {
      // Texts without a translation, or with a fuzzy one, stay in English.
      if (msgid === '' || msgstr.every((text) => text === '') || comments?.flag?.includes('fuzzy')) continue
      messages[msgctxt ? msgctxt + CONTEXT_DELIMITER + msgid : msgid] = msgstr
    }
  }
  return messages
}
