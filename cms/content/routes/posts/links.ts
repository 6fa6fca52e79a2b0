import type { RestRequest } from '../../../../core/rest/types.ts'
import type { Post, PostType, Taxonomy } from '../../types.ts'
import { CURIES, embeddable, type Link, type Links, link } from '../links.ts'
import { NAMESPACE } from '../parts.ts'

/** Dependencies of the links of a post. */
export interface LinkParts {
  readonly type: PostType
  readonly taxonomies: readonly Taxonomy[]
  readonly url: (route: string) => string
}

/** The `_links` of a post in WordPress's order (`prepare_links`), without those that say what the caller may do. */
export function postLinks(
  post: Post,
  { type, taxonomies, url }: LinkParts,
  around: { revisions: { count: number; latestId: number } | undefined; featuredId: number },
): Links {
  const self = url(`/${NAMESPACE}/${type.restBase}/${post.id}`)
  const of = (route: string) => url(`/${NAMESPACE}/${route}`)
  const supports = (feature: string) => type.supports.includes(feature)
  const isOwnFile = post.type === 'attachment'
  return {
    self: link(self),
    collection: link(of(`${type.restBase}`)),
    about: link(of(`types/${type.name}`)),
    ...(supports('author') && post.authorId > 0 && { author: embeddable(of(`users/${post.authorId}`)) }),
    ...(supports('comments') && { replies: embeddable(`${of('comments')}?post=${post.id}`) }),
    ...(supports('revisions') && revisionLinks(self, around.revisions)),
    ...(type.hierarchical && post.parentId > 0 && { up: embeddable(of(`${type.restBase}/${post.parentId}`)) }),
    ...(around.featuredId > 0 && { 'wp:featuredmedia': embeddable(of(`media/${around.featuredId}`)) }),
    ...(!isOwnFile && { 'wp:attachment': link(`${of('media')}?parent=${post.id}`) }),
    ...(taxonomies.length > 0 && { 'wp:term': taxonomies.map((taxonomy) => termLink(taxonomy, post, of)) }),
  }
}

function revisionLinks(self: string, revisions: { count: number; latestId: number } | undefined): Links {
  const history: Link = { count: revisions?.count ?? 0, href: `${self}/revisions` }
  if (!revisions) return { 'version-history': [history] }
  const { latestId } = revisions
  return {
    'version-history': [history],
    'predecessor-version': [{ id: latestId, href: `${self}/revisions/${latestId}` }],
  }
}

function termLink({ name, restBase }: Taxonomy, post: Post, of: (route: string) => string): Link {
  return { taxonomy: name, embeddable: true, href: `${of(`${restBase}`)}?post=${post.id}` }
}

/** The caller's permissions for posts of a type, for editors; WordPress's `get_available_actions`. */
export async function actionsOf(
  { can }: Pick<RestRequest, 'can'>,
  { type, taxonomies }: Pick<LinkParts, 'type' | 'taxonomies'>,
): Promise<string[]> {
  const actions: string[] = []
  const publishes = await can(type.capabilities.publish_posts)
  const editsOthers = await can(type.capabilities.edit_others_posts)
  if (type.name !== 'attachment' && publishes) actions.push('wp:action-publish')
  if (await can('unfiltered_html')) actions.push('wp:action-unfiltered-html')
  if (type.name === 'post' && editsOthers && publishes) actions.push('wp:action-sticky')
  if (type.supports.includes('author') && editsOthers) actions.push('wp:action-assign-author')
  for (const { restBase, hierarchical } of taxonomies) {
    if (await can(hierarchical ? 'manage_categories' : 'edit_posts')) actions.push(`wp:action-create-${restBase}`)
    if (await can('edit_posts')) actions.push(`wp:action-assign-${restBase}`)
  }
  return actions
}

/** The links of an editor's actions, then the CURIEs. */
export function withActions(links: Links, actions: readonly string[]): Links {
  const self = links.self ?? []
  const own = actions.map((action) => [action, self.map(({ href }) => ({ href }))] as const)
  const isPrefixed = Object.keys(links).some((relation) => relation.startsWith('wp:')) || own.length > 0
  return { ...links, ...Object.fromEntries(own), ...(isPrefixed && CURIES) }
}
