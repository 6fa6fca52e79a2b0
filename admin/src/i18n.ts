import format from '@tannin/sprintf'
import Tannin, { type TanninLocaleDomain } from 'tannin'

import type { PageData } from './page-data.ts'

type Domain = 'pentad'

const ENGLISH = { plural_forms: (count: number) => (count === 1 ? 0 : 1) }
let translations = new Tannin({ pentad: { '': ENGLISH } })

/** Sets the translations of a domain; texts without a translation stay in English. */
export function setLocaleData(data: NonNullable<PageData['locale']['messages']>, domain: Domain): void {
  const texts: TanninLocaleDomain = { '': ENGLISH }
  translations = new Tannin({ [domain]: Object.assign(texts, data) })
}

/**
 * The translation of a text, as WordPress's `__`. The return type is that of the text, so that `sprintf` can check its
 * arguments.
 */
export function __<Text extends string>(text: Text, domain: Domain): Text
export function __(text: string, domain: Domain): string {
  return translations.dcnpgettext(domain, undefined, text)
}

/** The translation of the plural form for a number, as WordPress's `_n`. */
export function _n<Single extends string, Plural extends string>(
  single: Single,
  plural: Plural,
  count: number,
  domain: Domain,
): Single | Plural
export function _n(single: string, plural: string, count: number, domain: Domain): string {
  return translations.dcnpgettext(domain, undefined, single, plural, count)
}

/** Inserts values for `%s`, `%d`, and `%1$s`; `%%` is a percent sign. */
export const sprintf = format
