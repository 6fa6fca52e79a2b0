import type { Hooks } from '../../../core/hooks/types.ts'
import { SITE_SETTINGS } from '../../../core/options/site-info.ts'
import { ENGLISH_TEXTS, type SiteTexts } from './texts.ts'

/** Records with the language and the theme of the site. */
const SOURCES: readonly string[] = [SITE_SETTINGS, 'host_settings']

/**
 * Puts the titles of protected and private posts into the language of the site. Titles are rendered without waiting, so the texts are loaded
 * before the first request and when the language or the theme changes.
 */
export function translateTitleFormats(hooks: Hooks, texts: SiteTexts): SiteTexts {
  let { __ } = ENGLISH_TEXTS
  // Before the callbacks of extensions, which replace what is the default.
  hooks.addFilter('protected_title_format', () => __('Protected: %s'), 0)
  hooks.addFilter('private_title_format', () => __('Private: %s'), 0)

  async function load() {
    const read = await texts()
    __ = read.__
    return read
  }
  /** A page reports what is wrong with the theme. */
  const tryLoad = async () => void (await load().catch(() => {}))

  hooks.addAction('init', tryLoad)
  // Before other callbacks discard what they have rendered.
  hooks.addAction('updated_option', (name) => (SOURCES.includes(name) ? tryLoad() : undefined), 0)
  return load
}
