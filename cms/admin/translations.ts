import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from '../../core/log.ts'
import { direction, toLanguage } from '../site/language.ts'
import { type Messages, poFiles, readPo } from '../text/po.ts'
import type { AdminLocale } from './page-data.ts'

const DOMAIN = 'pentad'

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
    const messages = read(path)
    known.set(path, { changed: stats.mtimeMs, messages })
    return messages
  }

  function read(path: string): Messages | null {
    try {
      return readPo(path, DOMAIN)
    } catch (error) {
      log.warn({ err: error, file: path }, 'admin translation unreadable, showing English')
      return null
    }
  }

  async function find(locale: string): Promise<Messages | null> {
    const names = poFiles('admin', locale)
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
