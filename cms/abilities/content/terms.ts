import { z } from 'zod'
import { RestError } from '../../../core/errors.ts'
import { asCaller } from '../as-caller.ts'
import type { ContentAbilityParts } from './parts.ts'

const term = z.object({
  id: z.int(),
  name: z.string(),
  slug: z.string(),
  url: z.string(),
  count: z.int().describe('Number of posts.'),
  parentId: z.int().describe('0: none.'),
})

const listed = z
  .object({
    ...{ id: z.int(), name: z.string(), slug: z.string(), link: z.string(), count: z.int() },
    parent: z.int().default(0),
  })
  .transform(({ link, parent, ...same }) => ({ ...same, url: link, parentId: parent }))

/** Categories, tags and the terms of other taxonomies. */
export function registerTerms({ abilities, rest, content }: ContentAbilityParts): void {
  abilities.register({
    name: 'content/list-terms',
    label: 'List terms',
    description: 'Lists categories, tags, or terms of another taxonomy by name, with their post counts.',
    category: 'content',
    input: z.object({
      taxonomy: z.string().default('category').describe('category, post_tag, …'),
      search: z.string().max(1000).optional(),
      hideEmpty: z.boolean().default(false),
      page: z.int().min(1).default(1),
      perPage: z.int().min(1).max(100).default(50),
    }),
    output: z.object({ items: z.array(term), total: z.int() }),
    permission: 'public',
    readonly: true,
    async execute({ taxonomy, search, hideEmpty, page, perPage }, caller) {
      const base = content.taxonomies().get(taxonomy)?.restBase
      if (!base)
        throw new RestError('taxonomy_not_found', `The taxonomy “${taxonomy}” does not exist.`, { status: 404 })
      const { items, total } = await asCaller(rest, caller).list(`/wp/v2/${base}`, {
        ...{ search, hide_empty: hideEmpty, page, per_page: perPage },
        _fields: 'id,name,slug,link,count,parent',
      })
      return { items: z.array(listed).parse(items), total }
    },
  })
}
