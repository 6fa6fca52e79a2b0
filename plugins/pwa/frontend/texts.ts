import { type ExtensionHost, mergeTexts, type PageTexts } from 'pentad'
import { defaultTexts, type Texts } from './default-texts.ts'
import './hooks.ts'

const known = new WeakMap<PageTexts, Texts>()

/** Texts for visitors in the language of the site, filtered by extensions; the same object as long as none changes them. */
export async function textsOf({ hooks, textsFor }: Pick<ExtensionHost, 'hooks' | 'textsFor'>): Promise<Texts> {
  const pageTexts = await textsFor()
  const texts = known.get(pageTexts) ?? defaultTexts(pageTexts)
  known.set(pageTexts, texts)
  const filtered = hooks.applyFilters('pwa_texts', texts)
  return filtered === texts ? texts : mergeTexts(texts, filtered)
}
