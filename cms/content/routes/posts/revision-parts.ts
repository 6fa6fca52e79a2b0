import type { AccessRequest, RestRequest } from '../../../../core/rest/types.ts'
import type { Post } from '../../types.ts'
import { accessDenied, notFound } from '../errors.ts'
import { type Context, type Fields, readFields, wantedFields } from '../fields.ts'
import { link } from '../links.ts'
import { NAMESPACE, type RouteParts, type WriteParts } from '../parts.ts'
import type { AroundRevisions } from './revision-fields.ts'

/** Dependencies of the routes of revisions and autosaves of one type. */
export interface RevisionParts extends RouteParts, WriteParts {
  /** Path of the type: `/posts`. */
  readonly path: string
  /** @throws RestError `rest_post_invalid_parent`, or `rest_cannot_read` for users who cannot edit the post */
  readableParent(request: AccessRequest, what: string): Promise<Post>
  /** One revision of that post. @throws RestError `rest_post_invalid_id`, `rest_revision_parent_id_mismatch` */
  revisionOf(parent: Post, id: number): Promise<Post>
  /** `name` is the last part of its filter: `revision` or `autosave`. */
  show(
    revision: Post,
    request: RestRequest,
    how: { context: Context; fields: Fields<Post, AroundRevisions>; name: string },
  ): Promise<unknown>
}

export function createRevisionParts(given: RouteParts & WriteParts): RevisionParts {
  const { rest, content, hooks, type } = given
  return {
    ...given,
    path: `/${type.restBase}`,

    async readableParent(request, what) {
      const parent = await content.posts.get(Number(request.params.parent))
      if (parent?.type !== type.name) throw notFound('rest_post_invalid_parent', 'Invalid post parent ID.')
      if (await request.can('edit_post', parent.id)) return parent
      throw accessDenied(request.user, 'rest_cannot_read', `Sorry, you are not allowed to view ${what} of this post.`)
    },

    async revisionOf(parent, id) {
      const revision = await content.posts.get(id)
      if (revision?.type !== 'revision') throw notFound('rest_post_invalid_id', 'Invalid revision ID.')
      if (revision.parentId === parent.id) return revision
      const message = `The revision does not belong to the specified parent with id of "${parent.id}"`
      throw notFound('rest_revision_parent_id_mismatch', message)
    },

    async show(revision, request, { context, fields, name }) {
      const wants = wantedFields(request.query)
      const data = await readFields(fields, revision, { content, context }, { context, wants })
      if (wants('_links'))
        data._links = { parent: link(rest.url(`/${NAMESPACE}/${type.restBase}/${revision.parentId}`)) }
      const filter: `rest_prepare_${string}` = `rest_prepare_${name}`
      return hooks.hasFilter(filter) ? hooks.applyFiltersAsync(filter, data, revision, request) : data
    },
  }
}
