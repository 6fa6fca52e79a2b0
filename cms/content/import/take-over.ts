import type { Database } from '../../../core/database/index.ts'
import type { Options } from '../../../core/options/types.ts'
import { forgetFirstContent, untouchedFirstContent } from '../first-content.ts'
import { SITE_DEFAULTS } from '../site-settings.ts'
import type { Content } from '../types.ts'
import type { ImportJournal } from './journal.ts'
import type { ImportReport } from './report.ts'
import type { WxrSite } from './wxr.ts'

interface Parts {
  readonly content: Content
  readonly options: Options
  readonly database: Database
  /** Whether to only report what would be done. */
  readonly dryRun: boolean
  readonly journal: ImportJournal
  readonly report: ImportReport
}

/**
 * Adopts the identity of the old site if this site is new: its title, tagline and language, unless they were set here; removes the initial
 * content, so that posts and categories keep their ids. Each step can be repeated, so an interrupted import resumes here. Resolves to
 * whether the site had no content of its own, and to the category that was, or would be, removed.
 */
export async function takeOver(
  site: WxrSite,
  { content, options, database, journal, dryRun, report }: Parts,
): Promise<{ isNewSite: boolean; removedCategory?: number }> {
  report.siteTakenOver = journal.take('title')
  report.firstContentRemoved = journal.take('first content')
  const first = await untouchedFirstContent({ options, database })
  if (first === undefined) return { isNewSite: false }
  const { title, description, language } = content.siteSettings()
  if (title === SITE_DEFAULTS.title && description === SITE_DEFAULTS.description) {
    await journal.note('title')
    const isLocale = /^[a-z]{2,3}(?:_[A-Za-z0-9]+)*$/.test(site.language)
    if (!dryRun)
      await content.updateSiteSettings({
        title: site.title.slice(0, 1000) || title,
        description: site.description.slice(0, 1000),
        ...(language === SITE_DEFAULTS.language && isLocale ? { language: site.language } : {}),
      })
    report.siteTakenOver = true
  }
  report.firstContentRemoved ||= first.length > 0
  const terms = await database.db.selectFrom('terms').select(['id', 'slug', 'description']).limit(2).execute()
  const [only] = terms
  const isUntouched = terms.length === 1 && only?.slug === 'uncategorized' && only.description === ''
  const result = { isNewSite: true, ...(isUntouched && { removedCategory: only.id }) }
  if (dryRun) return result
  if (first.length > 0) await journal.note('first content')
  for (const id of first) await content.posts.delete(id)
  // Before the first post is imported, which may have the id of a deleted one.
  await forgetFirstContent(options)

  if (isUntouched) await content.terms.delete(only.id)
  return result
}

/** The default category must be one that exists: the one with its old id, `uncategorized`, or the first. */
export async function ensureDefaultCategory({ content }: Pick<Parts, 'content'>): Promise<void> {
  const current = await content.terms.get(content.siteSettings().defaultCategory)
  if (current?.taxonomy === 'category') return
  const first = await content.terms.query({ taxonomy: 'category', orderBy: 'id', limit: 1 })
  const category =
    (await content.terms.getBySlug('category', 'uncategorized')) ??
    first.items[0] ??
    (await content.terms.insert('category', { name: 'Uncategorized' }))
  await content.updateSiteSettings({ defaultCategory: category.id })
}
