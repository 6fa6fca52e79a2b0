import { type ExtensionHost, filteredTexts } from 'pentad'
import { TEXTS, type Texts } from './default-texts.ts'
import './hooks.ts'

/** Texts for visitors, filtered by extensions. */
export function textsOf(hooks: ExtensionHost['hooks']): Texts {
  return filteredTexts(TEXTS, hooks.applyFilters('pwa_texts', TEXTS))
}
