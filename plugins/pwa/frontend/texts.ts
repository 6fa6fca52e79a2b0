import { type ExtensionHost, mergeTexts } from 'pentad'
import { TEXTS, type Texts } from './default-texts.ts'
import './hooks.ts'

/** Texts for visitors, filtered by extensions. */
export function textsOf(hooks: ExtensionHost['hooks']): Texts {
  return mergeTexts(TEXTS, hooks.applyFilters('pwa_texts', TEXTS))
}
