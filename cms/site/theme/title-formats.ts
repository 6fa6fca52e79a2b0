import type { Hooks } from '../../../core/hooks/types.ts'
import { ENGLISH_TEXTS, type SiteTexts } from './texts.ts'

/**
 * Puts the titles of protected and private posts into the language of the site. Titles are rendered without waiting, so the texts are those
 * that the last page has read.
 */
export function translateTitleFormats(hooks: Hooks, texts: SiteTexts): SiteTexts {
  let { __ } = ENGLISH_TEXTS
  // Before the callbacks of extensions, which replace what is the default.
  hooks.addFilter('protected_title_format', () => __('Protected: %s'), 0)
  hooks.addFilter('private_title_format', () => __('Private: %s'), 0)
  return async () => {
    const read = await texts()
    __ = read.__
    return read
  }
}
