import type { Post } from 'pentad'
import type { LegacyFields, LegacyPlugin, LegacyRedirect } from './types.ts'
import { textOf } from './values.ts'

/** The redirect that a post represents: its URL redirects elsewhere, or the post itself is a redirect rule. */
export function redirectOf(plugin: LegacyPlugin, post: Post, fields: LegacyFields): LegacyRedirect | undefined {
  const target = textOf(fields.redirect)
  const source = post.type === plugin.redirectType ? withSlash(post.title.trim()) : post.path
  if (target === '' || source === '') return undefined
  const status = Number(textOf(fields.redirectStatus)) || 301
  return { source, target, match: 'exact', status, enabled: post.status === 'publish' }
}

/** Sources are often stored without a leading slash; absolute URLs stay as they are. */
export function withSlash(source: string): string {
  return source === '' || /^(?:https?:\/\/|\/)/i.test(source) ? source : `/${source}`
}
