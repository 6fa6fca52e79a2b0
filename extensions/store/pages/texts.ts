import { type ExtensionHost, escapeHtml, mergeTexts } from 'pentad'
import '../hooks.ts'
import { defaultTexts, type StoreTextName } from './default-texts.ts'

/** A text as HTML, with placeholders replaced. */
export type Say = (name: StoreTextName, values?: Readonly<Record<string, string>>) => string

/** Texts for customers after the `store_texts` filter. */
export function createTexts(host: Pick<ExtensionHost, '__' | 'hooks'>): Say {
  // Once: `setup` runs again when the language of the site changes.
  const texts = defaultTexts(host)
  return (name, values = {}) => {
    const text = mergeTexts(texts, host.hooks.applyFilters('store_texts', texts))[name]
    return escapeHtml(text).replace(/\{(\w+)\}/g, (place, value) => escapeHtml(values[value] ?? place))
  }
}
