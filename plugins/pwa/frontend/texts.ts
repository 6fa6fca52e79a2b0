import { type ExtensionHost, mergeTexts } from 'pentad'
import { TEXTS, type Texts } from './default-texts.ts'
import './hooks.ts'

/** Texts for visitors, filtered by extensions; the same object as long as none changes them. */
export function textsOf(hooks: ExtensionHost['hooks']): Texts {
  const filtered = hooks.applyFilters('pwa_texts', TEXTS)
  return filtered === TEXTS ? TEXTS : mergeTexts(TEXTS, filtered)
}
