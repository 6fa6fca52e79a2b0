import type { ExtensionHost } from 'pentad'
import type { OwnRedirects } from './redirects.ts'

/** Maximum number of child terms per level that get redirects, and of levels. */
const MOST_CHILDREN = 1_000
const DEEPEST = 20

/** Creates redirects for archives of terms whose path changes, and for those of child terms. */
export function redirectMovedTerms(
  { hooks, content }: Pick<ExtensionHost, 'hooks' | 'content'>,
  { redirects, isOn }: { redirects: OwnRedirects; isOn: () => boolean },
): void {
  const isPublic = (taxonomy: string) => content.taxonomies().get(taxonomy)?.public === true
  /** Paths by ID before a change: both hooks receive the same object. */
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
      if (from !== '' && to !== '' && from !== to) await redirects.pathChanged(from, to)
    }
  })

  hooks.addAction('created_term', async (id, _termTaxonomyId, taxonomy) => {
    const term = isOn() && isPublic(taxonomy) ? await content.terms.get(id) : undefined
    if (term && term.path !== '') await redirects.pathInUse(term.path)
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
