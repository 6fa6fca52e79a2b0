import type { Database } from '../../../core/database/index.ts'
import type { JsonValue } from '../../../core/options/types.ts'
import type { Addresses } from '../addresses.ts'
import { sanitizeTitle } from '../slug.ts'
import type { Content } from '../types.ts'
import type { ImportJournal } from './journal.ts'
import { readMeta } from './meta.ts'
import { ownCopy } from './own-copy.ts'
import { PENDING, pendingValues, readPending } from './pending.ts'
import { type ImportReport, note } from './report.ts'
import type { WxrTerm } from './wxr.ts'

export interface TermImport {
  /** Adds the term unless its slug exists. Resolves to its id; `undefined` for a term without a name. */
  add(term: WxrTerm): Promise<number | undefined>
  /** Id here of a term of the export by its id there. */
  idOfOldId(id: number): number | undefined
  /** Sets parents that were imported after their children. `complete`: no further items follow. */
  finish(complete: boolean): Promise<void>
}

/** Id of a term that a dry run does not add. */
const NOT_ADDED = 0

/** Terms keep their IDs if available; existing ones are identified by taxonomy and slug. */
export function createTermImport(parts: {
  content: Content
  database: Database
  addresses: Addresses
  source: string
  journal: ImportJournal
  dryRun: boolean
  /** Id of this site's default category if the import replaced it; a dry run neither deletes nor counts it. */
  removedCategory: number | undefined
  report: ImportReport
}): TermImport {
  const { content, database, addresses, source, journal, dryRun, report, removedCategory } = parts
  /** Ids by taxonomy and slug. */
  const known = new Map<string, number>()
  const newIds = new Map<number, number>()

  async function find(taxonomy: string, slug: string): Promise<number | undefined> {
    const key = `${taxonomy} ${slug}`
    const id = known.get(key) ?? (await content.terms.getBySlug(taxonomy, slug))?.id
    if (dryRun && id !== undefined && id === removedCategory) return undefined
    if (id !== undefined) known.set(ownCopy(key), id)
    return id
  }

  async function add(term: WxrTerm): Promise<number | undefined> {
    const id = await addOnce(term)
    if (id !== undefined && term.id > 0) newIds.set(term.id, id)
    return id
  }

  async function addOnce(term: WxrTerm): Promise<number | undefined> {
    const { language } = content.siteSettings()
    const slug = sanitizeTitle(term.slug || term.name, language)
    const name = term.name.trim() || term.slug
    if (term.taxonomy === '' || slug === '' || name === '') return undefined
    if (known.has(`${term.taxonomy} ${slug}`)) return known.get(`${term.taxonomy} ${slug}`)
    const existing = await find(term.taxonomy, slug)
    if (existing !== undefined) {
      report.terms[journal.take('term', `${term.taxonomy} ${slug}`) ? 'added' : 'existing']++
      return existing
    }
    if (dryRun) {
      known.set(ownCopy(`${term.taxonomy} ${slug}`), NOT_ADDED)
      report.terms.added++
      return NOT_ADDED
    }
    const parentSlug = term.parent === '' ? '' : sanitizeTitle(term.parent, language)
    const parentId = parentSlug === '' ? 0 : await find(term.taxonomy, parentSlug)
    const meta: Record<string, readonly JsonValue[]> = readMeta(term.meta, addresses)
    if (parentId === undefined) meta[PENDING] = pendingValues({ source, parentSlug })
    await journal.note('term', `${term.taxonomy} ${slug}`)
    const { id } = await content.terms.insert(term.taxonomy, {
      name,
      slug,
      description: addresses.inText(term.description),
      parentId: parentId ?? 0,
      id: term.id,
      meta,
    })
    known.set(ownCopy(`${term.taxonomy} ${slug}`), id)
    report.terms.added++
    return id
  }

  async function finish(complete: boolean): Promise<void> {
    for (const { id, parentSlug } of await readPending(database, 'term', source)) {
      const term = await content.terms.get(id)
      const parentId = term && (await find(term.taxonomy, parentSlug))
      if (parentId !== undefined) await content.terms.update(id, { parentId })
      else if (!complete) continue
      else
        note(
          report.warnings,
          `The term “${term?.name}” was moved to the top level, because the export does not include its parent “${parentSlug}”.`,
        )
      await content.meta.delete('term', id, PENDING)
    }
  }

  return { add, finish, idOfOldId: (id) => newIds.get(id) }
}
