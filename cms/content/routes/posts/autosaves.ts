import { z } from 'zod'
import type { Undo } from '../../../../core/hooks/types.ts'
import type { AccessRequest } from '../../../../core/rest/types.ts'
import { isAutosave } from '../../posts/revisions.ts'
import { accessDenied, badRequest, notFound } from '../errors.ts'
import { one } from '../nouns.ts'
import { contextSchema, pathId } from '../parameters.ts'
import { NAMESPACE } from '../parts.ts'
import { itemShape, nameOf } from '../response-shapes.ts'
import { preparePost } from './prepare.ts'
import { autosaveFields } from './revision-fields.ts'
import type { RevisionParts } from './revision-parts.ts'
import { versionSeen } from './write.ts'
import { updateSchema } from './write-parameters.ts'

const listSchema = z.object({ parent: pathId, context: contextSchema })
const itemSchema = z.object({ parent: pathId, id: pathId, context: contextSchema })

/**
 * `/posts/<id>/autosaves`: unsaved changes, one version for each user and post; WordPress's `WP_REST_Autosaves_Controller`. Returns a
 * function that removes the routes.
 */
export function registerAutosaveRoutes(parts: RevisionParts): Undo {
  const { rest, content, type, taxonomies, path, readableParent, revisionOf, show } = parts
  const fields = autosaveFields(type)
  const response = itemShape(`${nameOf(type.label, type.name)}Autosaves`, fields)
  const mayRead = async (request: AccessRequest) => (await readableParent(request, 'autosaves')) !== undefined

  const list = rest.registerRoute(NAMESPACE, {
    method: 'GET',
    path: `${path}/{parent:\\d+}/autosaves`,
    access: mayRead,
    summary: `Lists autosaves of ${one(type)}.`,
    input: listSchema,
    response: z.array(response),
    async handler(request) {
      const { context } = request.input
      const parents = [Number(request.params.parent)]
      const { items } = await content.posts.query({
        ...{ types: ['revision'], statuses: ['inherit'], parents, slugs: [`${parents[0]}-autosave-v1`], limit: 1000 },
      })
      return Promise.all(items.map((item) => show(item, request, { context, fields, name: 'autosave' })))
    },
  })

  const item = rest.registerRoute(NAMESPACE, {
    method: 'GET',
    path: `${path}/{parent:\\d+}/autosaves/{id:\\d+}`,
    access: mayRead,
    summary: `Returns an autosave of ${one(type)}.`,
    input: itemSchema,
    response,
    async handler(request) {
      const parent = await readableParent(request, 'autosaves')
      const autosave = await revisionOf(parent, Number(request.params.id))
      if (!isAutosave(autosave)) {
        throw notFound('rest_post_no_autosave', 'There is no autosave revision for this post.')
      }
      return show(autosave, request, { context: request.input.context, fields, name: 'autosave' })
    },
  })

  const create = rest.registerRoute(NAMESPACE, {
    method: 'POST',
    path: `${path}/{parent:\\d+}/autosaves`,
    async access(request) {
      const post = await content.posts.get(Number(request.params.parent))
      if (post?.type !== type.name) throw notFound('rest_post_invalid_id', 'Invalid post ID.')
      if (await request.can('edit_post', post.id)) return true
      throw accessDenied(request.user, 'rest_cannot_edit', 'Sorry, you are not allowed to edit this post.')
    },
    summary: "Creates an autosave. For the author's own draft, updates the draft.",
    input: updateSchema(type, taxonomies).omit({ id: true }).extend({ parent: pathId }),
    response,
    async handler(request) {
      const post = await content.posts.get(Number(request.params.parent))
      if (!post || !request.user) throw notFound('rest_post_invalid_id', 'Invalid post ID.')
      // In the path `parent` is the post; the body's is another thing, and an autosave has none.
      const { parent: _, ...input } = request.input
      const changes = await preparePost({ ...request, input }, parts, post)
      const isOwnDraft = ['draft', 'auto-draft'].includes(post.status) && post.authorId === request.user.id
      const saved = isOwnDraft
        ? await content.posts.update(post.id, { ...changes, unchangedSince: versionSeen(request) })
        : await content.posts.autosave(post.id, request.user.id, changes)
      if (!saved) {
        const message = 'There is nothing to save. The autosave and the post content are the same.'
        throw badRequest('rest_autosave_no_changes', message)
      }
      return show(saved, request, { context: 'edit', fields, name: 'autosave' })
    },
  })

  return () => {
    list()
    item()
    create()
  }
}
