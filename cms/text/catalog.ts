import tannin, { type TanninLocaleData, type TanninLocaleDomain } from 'tannin'
import type { Messages } from './po.ts'

interface Catalog {
  dcnpgettext(domain: string, context: string | undefined, single: string, plural?: string, count?: number): string
}
/** Node imports the CommonJS module, whose class TypeScript finds at `default` or not, depending on `moduleResolution`. */
const Tannin: new (data: TanninLocaleData) => Catalog = Reflect.get(tannin, 'default') ?? tannin

/** Translates a text; `single` and `plural` are the same for a text without a number. */
export type Translate = (context: string | undefined, single: string, plural: string, count: number) => string

export const english: Translate = (_, single, plural, count) => (count === 1 ? single : plural)

/** Translates with the messages of a PO file. @throws Error for an invalid rule for plural forms */
export function createTranslate(domain: string, messages: Messages): Translate {
  const data: TanninLocaleDomain = { '': {} }
  const texts = new Tannin({ [domain]: Object.assign(data, messages) })
  const translate: Translate = (context, single, plural, count) =>
    texts.dcnpgettext(domain, context, single, plural, single === plural ? undefined : count)
  // The rule for plural forms is evaluated here for the first time.
  translate(undefined, '', 's', 1)
  return translate
}

/**
 * Replaces placeholders, as `sprintf`: `%s` with the next value, `%2$s` with the second one, which lets translations reorder them, and `%%`
 * with a percent sign. A text without values is not changed, as one that is not passed to `sprintf`.
 */
export function fill(text: string, values: readonly (string | number)[]): string {
  if (values.length === 0) return text
  let next = 0
  return text.replace(/%(?:%|(?:(\d+)\$)?s)/g, (placeholder: string, position?: string) => {
    if (placeholder === '%%') return '%'
    return String(values[position === undefined ? next++ : Number(position) - 1] ?? '')
  })
}
