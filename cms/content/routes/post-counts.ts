import { z } from 'zod'
import { success } from '../../../core/rest/response.ts'
import { successSchema } from '../../../core/rest/response-schemas.ts'
import { accessDenied, notFound } from './errors.ts'
import type { RouteParts } from './parts.ts'
import { othersStatuses } from './posts/statuses.ts'

const STATUSES = ['publish', 'future', 'draft', 'pending', 'private', 'inherit', 'trash']

const input = z.object({ type: z.string().max(100).default('post').describe('Post type name.') })

const responseSchema = z.object({
  ...{ all: z.int(), mine: z.int(), statuses: z.record(z.string(), z.int()) },
  months: z.array(z.object({ month: z.string(), count: z.int() })),
})

/** `GET /host/v1/post-counts`: what stands on the tabs above a list of posts, and the months that it can be narrowed to. */
export function registerPostCountRoute({ rest, content }: RouteParts): void {
  rest.registerRoute('host/v1', {
    method: 'GET',
    path: '/post-counts',
    // The handler checks the type, because permission checks do not see parameters.
    access: async ({ can }) => {
      const types = [...content.postTypes().values()]
      return (await Promise.all(types.map(({ capabilities }) => can(capabilities.edit_posts)))).includes(true)
    },
    summary: 'Counts the posts that the caller may edit, by status and month.',
    input,
    response: successSchema(responseSchema),
    async handler(request) {
      const type = content.postTypes().get(request.input.type)
      if (!type) throw notFound('rest_type_invalid', 'Invalid post type.')
      if (!request.user || !(await request.can(type.capabilities.edit_posts))) {
        const message = 'Sorry, you are not allowed to edit posts in this post type.'
        throw accessDenied(request.user, 'rest_forbidden_context', message)
      }
      const others = await othersStatuses(request, STATUSES, { type, context: 'edit' })
      const rows = await content.posts.counts({ type: type.name, userId: request.user.id, others })
      const statuses: Record<string, number> = Object.fromEntries(STATUSES.map((status) => [status, 0]))
      const months = new Map<string, number>()
      let all = 0
      let mine = 0
      for (const { status, month, count, own } of rows) {
        statuses[status] = (statuses[status] ?? 0) + count
        if (status === 'trash') continue
        all += count
        mine += own
        months.set(month, (months.get(month) ?? 0) + count)
      }
      return success({ all, mine, statuses, months: [...months].map(([month, count]) => ({ month, count })) })
    },
  })
}
