import { type ExtensionHost, mergeTexts } from 'pentad'
import { defaultTexts, type HelpdeskTexts } from './default-texts.ts'
import './hooks.ts'

/** Texts of the helpdesk in the language of the site, after filters. */
export async function helpdeskTexts({
  hooks,
  textsFor,
}: Pick<ExtensionHost, 'hooks' | 'textsFor'>): Promise<HelpdeskTexts> {
  const texts = defaultTexts(await textsFor())
  return mergeTexts(texts, hooks.applyFilters('ai_helpdesk_texts', texts))
}
