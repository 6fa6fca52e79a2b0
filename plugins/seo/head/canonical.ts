import type { ExtensionHost } from 'pentad'
import type { SeoFields } from '../fields.ts'
import { filtered } from '../filtered.ts'
import '../hooks.ts'
import { isSameAddress, readAddress } from './address.ts'
import type { Subject } from './subject.ts'

/**
 * The canonical URL of a page. @param before the default: the URL of the page, or `null` if it has none (search
 * results, 404)
 */
export function canonicalOf(
  { content, hooks, log, site }: Pick<ExtensionHost, 'content' | 'hooks' | 'log' | 'site'>,
  { subject, fields, before }: { subject: Subject; fields: SeoFields; before: string | null },
): string | null {
  const typed = fields.canonical === '' ? undefined : readAddress(content.currentAddresses(fields.canonical), site.url)
  // A canonical URL that differs only in spelling is the page's own.
  const isElsewhere = before !== null && typed !== undefined && !isSameAddress(typed, before)
  const known = isElsewhere ? typed : before
  const result = hooks.applyFilters('seo_canonical', known, subject)
  if (result === known || result === null) return result
  const url = typeof result === 'string' ? readAddress(result, site.url) : undefined
  return filtered(log, 'seo_canonical', { before: known, result: url, isValid: (one) => typeof one === 'string' })
}
