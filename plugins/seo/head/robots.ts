import type { ExtensionHost } from 'pentad'
import type { SeoFields } from '../fields.ts'
import { filtered } from '../filtered.ts'
import '../hooks.ts'
import type { SeoSettings } from '../settings.ts'
import type { Robots } from './robots-directives.ts'
import type { Subject } from './subject.ts'

/**
 * What robots are told about a page, in its head and wherever else it counts: sitemaps, IndexNow, llms.txt.
 * @param before what core says of the page
 */
export function robotsOf(
  { hooks, log }: Pick<ExtensionHost, 'hooks' | 'log'>,
  settings: SeoSettings,
  { subject, fields, before }: { subject: Subject; fields: SeoFields; before: Robots },
): Robots {
  const robots = {
    ...before,
    ...(fields.noindex || isKeptOut(subject, settings) ? { noindex: true } : {}),
    ...(fields.nofollow ? { nofollow: true } : {}),
  }
  const answer = hooks.applyFilters('seo_robots', robots, subject)
  return filtered(log, 'seo_robots', { before: robots, answer, isValid: isRobots })
}

function isRobots(answer: unknown): answer is Robots {
  if (typeof answer !== 'object' || answer === null || 'then' in answer) return false
  return Object.values(answer).every((value) => typeof value === 'boolean' || typeof value === 'string')
}

/** Whether the settings keep pages of its kind out of search engines. */
function isKeptOut({ kind, post, term, total, pageNumber = 1 }: Subject, settings: SeoSettings): boolean {
  // Later pages of a list change with every post and are in no sitemap; robots follow their links all the same.
  if (pageNumber > 1 && (!post || kind === 'home')) return true
  // A term without posts is a page without content, and in no sitemap either.
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
