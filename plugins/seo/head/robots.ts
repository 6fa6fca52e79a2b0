import type { ExtensionHost } from 'pentad'
import type { SeoFields } from '../fields.ts'
import { filtered } from '../filtered.ts'
import '../hooks.ts'
import type { SeoSettings } from '../settings.ts'
import type { Robots } from './robots-directives.ts'
import type { Subject } from './subject.ts'

/**
 * The robots directives of a page, for its head, sitemaps, IndexNow and llms.txt. @param before the default directives
 */
export function robotsOf(
  { hooks, log }: Pick<ExtensionHost, 'hooks' | 'log'>,
  settings: SeoSettings,
  { subject, fields, before }: { subject: Subject; fields: SeoFields; before: Robots },
): Robots {
  const robots = {
    ...before,
    ...(fields.noindex || isExcluded(subject, settings) ? { noindex: true } : {}),
    ...(fields.nofollow ? { nofollow: true } : {}),
  }
  const result = hooks.applyFilters('seo_robots', robots, subject)
  return filtered(log, 'seo_robots', { before: robots, result, isValid: isRobots })
}

function isRobots(result: unknown): result is Robots {
  if (typeof result !== 'object' || result === null || 'then' in result) return false
  return Object.values(result).every((value) => typeof value === 'boolean' || typeof value === 'string')
}

/** Whether the settings keep pages of this kind out of search results. */
function isExcluded({ kind, post, term, total, pageNumber = 1 }: Subject, settings: SeoSettings): boolean {
  // Later pages of a list change with every post and are in no sitemap; robots still follow their links.
  if (pageNumber > 1 && (!post || kind === 'home')) return true
  // A term without posts has no content, and is in no sitemap either.
  if (term && total === 0) return true
  switch (kind) {
    case 'author':
      return settings.noindexAuthors === 'on'
    case 'date':
      return settings.noindexDates === 'on'
    case 'search':
    case 'comments':
    case '404':
      return true
    default: {
      const name = post?.type ?? term?.taxonomy
      return name !== undefined && settings.noindexTypes.includes(name)
    }
  }
}
