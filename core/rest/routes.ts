import { z } from 'zod'
import type { HookRegistry, HookReport } from '../hooks/types.ts'
import { type AnswerOf, successAnswer } from './answers.ts'
import { RestResponse, success } from './response.ts'
import type { Rest } from './types.ts'

/** Callbacks that the inspector lists as the slowest. */
const SLOWEST = 10

const listenerShape = z.object({
  ...{ owner: z.string(), callback: z.string(), priority: z.number(), acceptedArgs: z.number().nullable() },
  ...{ onError: z.enum(['open', 'closed']), calls: z.int(), time: z.number(), longest: z.number() },
})
const hookShape = z.object({ name: z.string(), count: z.int(), listeners: z.array(listenerShape) })
const slowestShape = z.object({
  ...{ hook: z.string(), owner: z.string(), callback: z.string() },
  ...{ calls: z.int(), longest: z.number(), mean: z.number() },
})
const hooksShape = z.object({ hooks: z.array(hookShape), slowest: z.array(slowestShape) })

/**
 * The routes of `host/v1` that are about the host itself (contract 2.3).
 *
 * @param parts.startedAt when the host began, in milliseconds since the epoch.
 * @param parts.safeMode whether extensions other than the services are kept from running.
 */
export function registerRestRoutes(
  rest: Rest,
  parts: { hooks: Pick<HookRegistry, 'inspect'>; version: string; startedAt: number; safeMode?: boolean | undefined },
): void {
  const { hooks, version, startedAt, safeMode = false } = parts
  rest.registerRoute('host/v1', {
    method: 'GET',
    path: '/health',
    access: 'public',
    summary: 'Returns whether the host accepts requests and runs in safe mode; `uptime` in milliseconds.',
    answer: successAnswer(
      z.object({ ok: z.literal(true), version: z.string(), uptime: z.int(), safeMode: z.boolean() }),
    ),
    handler: () => success({ ok: true, version, uptime: Math.max(0, Math.round(Date.now() - startedAt)), safeMode }),
  })
  rest.registerRoute('host/v1', {
    method: 'GET',
    path: '/hooks',
    access: 'manage_options',
    summary: 'Lists every hook dispatched or listened to, its callbacks in order, and the slowest callbacks of all.',
    answer: successAnswer(hooksShape),
    handler() {
      const reports = hooks.inspect()
      return success<AnswerOf<typeof hooksShape>>({ hooks: reports, slowest: slowestCallbacks(reports) })
    },
  })
  rest.registerRoute('host/v1', {
    method: 'GET',
    path: '/openapi.json',
    access: 'public',
    summary: 'Returns the registered routes as OpenAPI 3.1.',
    answer: z.looseObject({ openapi: z.string(), paths: z.record(z.string(), z.unknown()) }),
    handler: () => new RestResponse(rest.openApi()),
  })
}

/** The callbacks whose longest call took most, the slowest first. Milliseconds. */
function slowestCallbacks(reports: readonly HookReport[]) {
  return reports
    .flatMap(({ name, listeners }) => listeners.map((listener) => ({ hook: name, listener })))
    .filter(({ listener }) => listener.calls > 0 && listener.longest > 0)
    .sort((one, other) => other.listener.longest - one.listener.longest)
    .slice(0, SLOWEST)
    .map(({ hook, listener: { owner, callback, calls, time, longest } }) => ({
      ...{ hook, owner, callback, calls, longest },
      mean: Math.round((time / calls) * 1000) / 1000,
    }))
}
