import type { HookRegistry } from '../hooks/types.ts'
import { RestResponse, success } from './response.ts'
import type { Rest } from './types.ts'

/**
 * The routes of `host/v1` that are about the host itself (contract 2.3).
 *
 * @param parts.startedAt when the host began, in milliseconds since the epoch.
 */
export function registerRestRoutes(
  rest: Rest,
  { hooks, version, startedAt }: { hooks: Pick<HookRegistry, 'inspect'>; version: string; startedAt: number },
): void {
  rest.registerRoute('host/v1', {
    method: 'GET',
    path: '/health',
    access: 'public',
    summary: 'Whether the host takes requests; `uptime` in milliseconds.',
    handler: () => success({ ok: true, version, uptime: Math.max(0, Math.round(Date.now() - startedAt)) }),
  })
  rest.registerRoute('host/v1', {
    method: 'GET',
    path: '/hooks',
    access: 'manage_options',
    summary: 'Every hook dispatched or listened to, its callbacks in order, with owner, calls and time.',
    handler: () => success({ hooks: hooks.inspect() }),
  })
  rest.registerRoute('host/v1', {
    method: 'GET',
    path: '/openapi.json',
    access: 'public',
    summary: 'Every route now registered, as OpenAPI 3.1.',
    handler: () => new RestResponse(rest.openApi()),
  })
}
