import { z } from 'zod'
import type { Rest } from '../../core/rest/types.ts'

/** The routes of the small plugin with which WordPress's answers were recorded, and some more. */
export function registerDemoRoutes(rest: Rest): void {
  rest.registerRoute('demo/v1', {
    method: 'PUT',
    path: '/settings',
    access: 'manage_options',
    input: z.object({
      settings: z.record(z.string(), z.unknown()),
      count: z.int().min(1).max(10).optional(),
      mode: z.enum(['a', 'b']).optional(),
    }),
    handler: () => ({ ok: true }),
  })
  rest.registerRoute('demo/v1', {
    method: 'GET',
    path: '/post/{id:\\d+}',
    access: ({ params, can }) => can('edit_post', Number(params.id)),
    input: z.object({ id: z.int() }),
    handler: ({ input }) => input,
  })
  rest.registerRoute('demo/v1', {
    method: 'POST',
    path: '/open',
    access: 'public',
    handler: ({ user }) => ({ user: user?.id ?? 0 }),
  })
}
