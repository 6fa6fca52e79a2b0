import { z } from 'zod'
import { RestError } from '../../core/errors.ts'
import { success } from '../../core/rest/response.ts'
import { type ResponseOf, successSchema } from '../../core/rest/response-schemas.ts'
import type { Rest } from '../../core/rest/types.ts'
import type { Readiness } from './readiness.ts'

const checkShape = z.object({
  name: z.enum(['database', 'migrations', 'disk', 'extensions', 'shutdown']),
  state: z.enum(['ok', 'warning', 'failed']),
  reason: z.string().nullable().optional(),
})
const readyShape = z.object({ ok: z.literal(true), checks: z.array(checkShape) })

/** `GET /host/v1/ready`, for load balancers: 200 while the site can serve requests, 503 otherwise. */
export function registerReadyRoute(rest: Rest, readiness: Readiness): void {
  rest.registerRoute('host/v1', {
    method: 'GET',
    path: '/ready',
    access: 'public',
    summary:
      'Returns 200 if the site can serve requests, and 503 otherwise, with the state of each check; administrators also receive the reasons.',
    response: successSchema(readyShape),
    async handler({ can }) {
      const results = await readiness.check()
      const seesReasons = await can('manage_options')
      const checks = results.map(({ name, state, reason }) => ({ name, state, ...(seesReasons && { reason }) }))
      if (checks.some(({ state }) => state === 'failed')) {
        throw new RestError('not_ready', 'The site is not ready.', { status: 503, ok: false, checks })
      }
      return success<ResponseOf<typeof readyShape>>({ ok: true, checks })
    },
  })
}
