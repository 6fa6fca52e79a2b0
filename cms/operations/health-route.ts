import { z } from 'zod'
import { success } from '../../core/rest/response.ts'
import { successSchema } from '../../core/rest/response-schemas.ts'
import type { Rest } from '../../core/rest/types.ts'

/**
 * `GET /host/v1/health`, for load balancers and monitoring.
 *
 * @param parts.startedAt start of the host, in milliseconds since the epoch.
 * @param parts.safeMode whether only services run.
 */
export function registerHealthRoute(
  rest: Rest,
  { version, startedAt, safeMode = false }: { version: string; startedAt: number; safeMode?: boolean },
): void {
  rest.registerRoute('host/v1', {
    method: 'GET',
    path: '/health',
    access: 'public',
    summary:
      'Returns 200 while the process is running, with the version, the uptime in milliseconds, and whether the site is in safe mode.',
    response: successSchema(
      z.object({ ok: z.literal(true), version: z.string(), uptime: z.int(), safeMode: z.boolean() }),
    ),
    handler: () => success({ ok: true, version, uptime: Math.max(0, Math.round(Date.now() - startedAt)), safeMode }),
  })
}
