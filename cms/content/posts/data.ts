import type { Hooks } from '../../../core/hooks/types.ts'
import type { NewPost, Post } from '../types.ts'

const FIELDS = [
  ...([
    'type',
    'status',
    'authorId',
    'parentId',
    'menuOrder',
    'slug',
    'title',
    'content',
    'excerpt',
    'password',
  ] as const),
  ...(['commentStatus', 'pingStatus', 'sticky', 'template', 'mimeType', 'guid', 'date', 'dateGmt'] as const),
] as const

type Data = Pick<NewPost, (typeof FIELDS)[number]>

/** Defaults of a new post. */
const NEW: Data = {
  ...{ type: 'post', status: 'draft', authorId: 0, parentId: 0, menuOrder: 0, slug: '', title: '', content: '' },
  ...{ excerpt: '', password: '', sticky: false, template: '', mimeType: '', guid: '' },
}

/**
 * Applies the `wp_insert_post_data` filter to the complete post, and returns the requested fields and those that the filter changed. Other
 * fields are not written, so that two editors do not overwrite each other's changes.
 */
export async function filterPostData(hooks: Hooks, given: NewPost, before: Post | undefined): Promise<NewPost> {
  const asked = await filterTexts(hooks, given)
  if (!hooks.hasFilter('wp_insert_post_data')) return asked
  const data: Data = { ...(before ? own(before) : NEW), ...own(asked) }
  const wanted = { ...asked, ...(before && { id: before.id }) }
  const filtered = await hooks.applyFiltersAsync('wp_insert_post_data', data, wanted, wanted, before !== undefined)
  const changed = FIELDS.filter((field) => filtered[field] !== undefined && filtered[field] !== data[field])
  return { ...asked, ...Object.fromEntries(changed.map((field) => [field, filtered[field]])) }
}

/** WordPress's `title_save_pre`, `content_save_pre` and `excerpt_save_pre` of `sanitize_post`. */
async function filterTexts(hooks: Hooks, asked: NewPost): Promise<NewPost> {
  const texts: { title?: string; content?: string; excerpt?: string } = {}
  for (const field of ['title', 'content', 'excerpt'] as const) {
    const text = asked[field]
    if (text !== undefined) texts[field] = await hooks.applyFiltersAsync(`${field}_save_pre`, text)
  }
  return { ...asked, ...texts }
}

function own(post: NewPost): Data {
  return Object.fromEntries(FIELDS.flatMap((field) => (post[field] === undefined ? [] : [[field, post[field]]])))
}
