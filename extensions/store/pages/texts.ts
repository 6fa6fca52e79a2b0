import { type ExtensionHost, escapeHtml, mergeTexts } from 'pentad'
import '../hooks.ts'
import { type StoreTextName, TEXTS } from './default-texts.ts'

/** A text as HTML, with placeholders replaced. */
export type Say = (name: StoreTextName, values?: Readonly<Record<string, string>>) => string

/** Texts for customers after the `store_texts` filter. */
export function createTexts({ hooks }: Pick<ExtensionHost, 'hooks'>): Say {
  return (name, values = {}) => {
    const text = mergeTexts(TEXTS, hooks.applyFilters('store_texts', TEXTS))[name]
    return escapeHtml(text).replace(/\{(\w+)\}/g, (place, value) => escapeHtml(values[value] ?? place))
  }
}
