import { type ExtensionHost, mergeTexts } from 'pentad'
import { type HelpdeskTexts, TEXTS } from './default-texts.ts'
import './hooks.ts'

/** Texts of the helpdesk after filters. */
export function helpdeskTexts(hooks: ExtensionHost['hooks']): HelpdeskTexts {
  return mergeTexts(TEXTS, hooks.applyFilters('ai_helpdesk_texts', TEXTS))
}
