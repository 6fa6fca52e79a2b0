import { z } from 'zod'
import { success } from '../../../../core/rest/response.ts'
import { successSchema } from '../../../../core/rest/response-schemas.ts'
import type { RouteParts } from '../parts.ts'

const n = z.int()
const STATUSES = ['approved', 'hold', 'spam', 'trash'] as const

/** `GET /host/v1/comment-counts`: what stands on the tabs above the list of comments. `all` is without spam and trash. */
export function registerCommentCountRoute({ rest, content }: RouteParts): void {
  rest.registerRoute('host/v1', {
    method: 'GET',
    path: '/comment-counts',
    access: 'moderate_comments',
    summary: 'Counts comments by status.',
    response: successSchema(z.object({ all: n, approved: n, hold: n, spam: n, trash: n })),
    async handler() {
      const totals = await Promise.all(
        STATUSES.map((status) => content.comments.query({ statuses: [status], types: ['comment'], limit: 1 })),
      )
      const [approved = 0, hold = 0, spam = 0, trash = 0] = totals.map(({ total }) => total)
      return success({ all: approved + hold, approved, hold, spam, trash })
    },
  })
}
