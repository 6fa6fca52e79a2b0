import type { ExtensionHost } from 'pentad'
import type { OwnRedirects } from './redirects.ts'

/** Terms below one that get rules when it moves, on each level, and levels. */
const MOST_CHILDREN = 1_000
const DEEPEST = 20

/** Archives of categories, tags and other terms that get another path leave a rule behind, and so do those below them. */
export function redirectMovedTerms(
  { hooks, content }: Pick<ExtensionHost, 'hooks' | 'content'>,
  { redirects, isOn }: { redirects: OwnRedirects; isOn: () => boolean },
): void {
  const isPublic = (taxonomy: string) => content.taxonomies().get(taxonomy)?.public === true
  /** Paths by id, as they were before a change: both of its hooks get the same object. */
  const before = new WeakMap<object, ReadonlyMap<number, string>>()

  hooks.addAction('edit_terms', async (id, taxonomy, changes) => {
    const mayMove = 'slug' in changes || 'parentId' in changes
    if (mayMove && isOn() && isPublic(taxonomy)) before.set(changes, await pathsFrom(id, taxonomy))
  })

  hooks.addAction('edited_term', async (id, _termTaxonomyId, _taxonomy, changes) => {
    const known = before.get(changes)
    if (!known || (await content.terms.get(id))?.path === known.get(id)) return
    const terms = await content.terms.getMany([...known.keys()])
    for (const [one, from] of known) {
      const to = terms.get(one)?.path ?? ''
      if (from !== '' && to !== '' && from !== to) await redirects.moved(from, to)
    }
  })

  hooks.addAction('created_term', async (id, _termTaxonomyId, taxonomy) => {
    const term = isOn() && isPublic(taxonomy) ? await content.terms.get(id) : undefined
    if (term && term.path !== '') await redirects.claimed(term.path)
  })

  async function pathsFrom(id: number, taxonomy: string): Promise<Map<number, string>> {
    const top = await content.terms.get(id)
    const paths = new Map<number, string>()
    let level = top ? [top] : []
    for (let depth = 0; level.length > 0 && depth < DEEPEST; depth++) {
      for (const term of level) paths.set(term.id, term.path)
      const below = level.map((term) => content.terms.query({ taxonomy, parent: term.id, limit: MOST_CHILDREN }))
      level = (await Promise.all(below)).flatMap(({ items }) => items).filter((term) => !paths.has(term.id))
    }
    return paths
  }
}
