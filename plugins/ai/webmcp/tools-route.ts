import { type Route, success } from 'pentad'
import { z } from 'zod'
import type { WebMcpTool } from './tool.ts'

/**
 * `GET /webmcp/tools`: the tools that there are now, as the script of the pages registers them. Pages come from caches
 * and must not know.
 */
export function toolsRoute(tools: readonly WebMcpTool[]): Route {
  const described = tools.map(({ name, title, description, route }) => ({
    ...{ name, title, description, method: route.method, path: route.path },
    readOnly: route.method === 'GET',
    inputSchema: z.toJSONSchema(route.input ?? z.object({}), { io: 'input', unrepresentable: 'any' }),
    isThere: route.when ?? (() => true),
  }))
  return {
    method: 'GET',
    path: '/webmcp/tools',
    access: 'public',
    summary: 'The tools for browser agents, with the schemas of their input.',
    handler: () => success({ items: described.filter((tool) => tool.isThere()).map(({ isThere, ...tool }) => tool) }),
  }
}
