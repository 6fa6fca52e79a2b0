import { toError } from '../../../core/errors.ts'
import type { Term } from '../../content/types.ts'
import { joinPages, type Lists, type Pages, withFeed } from './lists.ts'
import type { OrAll, PurgePages } from './purge-pages.ts'
import type { SiteParts } from './site-parts.ts'

/** Purges pages when terms of any taxonomy change. */
export function watchTerms(
  { content, hooks }: Pick<SiteParts, 'content' | 'hooks'>,
  parts: { isOn: () => boolean; lists: Lists; purgePages: PurgePages; orAll: OrAll },
): void {
  const { isOn, lists, purgePages, orAll } = parts

  /** @param isMoved whether its URL or ancestors change */
  const termPages = async (term: Term, isMoved: boolean): Promise<Pages> => {
    const own: Pages = {
      tags: [`term-${term.id}`, `menu-term-${term.id}`, `terms-${term.taxonomy}`],
      paths: withFeed(term.path),
    }
    if (!isMoved) return own
    const children = await lists.below(term)
    const below: Pages = {
      tags: ['404', ...children.flatMap(({ id }) => [`term-${id}`, `menu-term-${id}`, `archive-term-${id}`])],
      paths: children.flatMap(({ path }) => withFeed(path)),
    }
    return joinPages(own, below, await lists.ofTerms([term.id]))
  }
  const isMove = (args: object) => 'slug' in args || 'parentId' in args
  /** Pages of the term as it was. An error waits until the change: what is purged before it is cached again as it was. */
  const pagesBefore = async (id: number, isMoved: boolean): Promise<Pages | Error | undefined> => {
    try {
      const term = isOn() ? await content.terms.get(id) : undefined
      return term && (await termPages(term, isMoved))
    } catch (error) {
      return toError(error)
    }
  }
  const termsBefore = new WeakMap<object, Pages | Error>()
  hooks.addAction(
    'created_term',
    orAll(async (id) => {
      const term = isOn() ? await content.terms.get(id) : undefined
      if (term) purgePages(await termPages(term, true), `Term ${id} was added.`)
    }),
  )
  hooks.addAction('edit_terms', async (id, _taxonomy, args) => {
    const before = await pagesBefore(id, isMove(args))
    if (before) termsBefore.set(args, before)
  })
  hooks.addAction(
    'edited_term',
    orAll(async (id, _sameId, _taxonomy, args) => {
      const before = termsBefore.get(args)
      if (before instanceof Error) throw before
      const term = before ? await content.terms.get(id) : undefined
      if (before && term) purgePages(joinPages(before, await termPages(term, isMove(args))), `Term ${id} was changed.`)
    }),
  )
  const termsGoing = new Map<number, Pages | Error>()
  hooks.addAction('pre_delete_term', async (id) => {
    const pages = await pagesBefore(id, true)
    if (pages) termsGoing.set(id, pages)
  })
  hooks.addAction(
    'delete_term',
    orAll(async (id) => {
      const pages = termsGoing.get(id)
      termsGoing.delete(id)
      if (pages instanceof Error) throw pages
      if (pages) purgePages(pages, `Term ${id} was deleted.`)
    }),
  )
  const onTermMeta = (_metaId: unknown, id: number) => {
    if (isOn()) purgePages({ tags: [`term-${id}`], paths: [] }, `Meta of term ${id} changed.`)
  }
  hooks.addAction('added_term_meta', orAll(onTermMeta))
  hooks.addAction('updated_term_meta', orAll(onTermMeta))
  hooks.addAction('deleted_term_meta', orAll(onTermMeta))
}
