import type { Registrations } from '../registrations.ts'
import type { PostRow } from '../rows.ts'
import type { Post } from '../types.ts'

/** Converts a row to a post; frozen, so that an extension that modifies it gets an error instead of changing it for other code. */
export function toPost(
  row: PostRow,
  { registrations, siteUrl }: { registrations: Pick<Registrations, 'postTypes'>; siteUrl: string },
): Post {
  return Object.freeze({
    id: row.id,
    type: row.type,
    status: row.status,
    authorId: row.author_id,
    parentId: row.parent_id,
    menuOrder: row.menu_order,
    slug: row.slug,
    path: registrations.postTypes().get(row.type)?.public ? row.path : '',
    title: row.title,
    content: row.content,
    excerpt: row.excerpt,
    password: row.password,
    commentStatus: row.comment_status === 'open' ? 'open' : 'closed',
    pingStatus: row.ping_status === 'open' ? 'open' : 'closed',
    commentCount: row.comment_count,
    sticky: row.sticky === 1,
    template: row.template,
    mimeType: row.mime_type,
    guid: row.guid === '' && row.type === 'revision' ? `${siteUrl}/?p=${row.id}` : row.guid,
    date: row.date.replace(' ', 'T'),
    dateGmt: row.date_gmt.replace(' ', 'T'),
    modified: row.modified.replace(' ', 'T'),
    modifiedGmt: row.modified_gmt.replace(' ', 'T'),
  })
}
