import { type Ability, type ExtensionHost, type ResponseOf, type Route, success, successSchema } from 'pentad'
import { z } from 'zod'
import type { WebMcpTool } from './tool.ts'

/** A tool in the format of the page script. */
const toolShape = z.object({
  ...{ name: z.string(), title: z.string(), description: z.string(), readOnly: z.boolean() },
  method: z.enum(['GET', 'POST']),
  url: z.string().describe('Absolute URL; `{id}` is replaced by the input value with that name.'),
  isAbility: z
    .boolean()
    .describe(
      'Whether the URL runs an ability, which expects its input as `input[name]` and returns the result without an envelope.',
    ),
  inputSchema: z.record(z.string(), z.unknown()).describe('JSON Schema of the input.'),
})

type ToolRow = ResponseOf<typeof toolShape>

const forPagesResponse = successSchema(z.object({ items: z.array(toolShape) }))
const forOwnersResponse = successSchema(z.object({ enabled: z.boolean(), items: z.array(toolShape) }))

/** Core abilities for visitors that the content tools already cover, with limits for agents. */
const OF_CORE = 'content/'

/**
 * `GET /webmcp/tools`: the available tools, and abilities of extensions for anonymous visitors. Requested by the page
 * script, because pages are cached. `GET /browser-tools` returns the same for administrators, even while the tools are
 * turned off.
 */
export function toolRoutes(
  { abilities, rest }: Pick<ExtensionHost, 'abilities' | 'rest'>,
  { tools, isOn }: { tools: readonly WebMcpTool[]; isOn: () => boolean },
): { readonly forPages: Route; readonly forOwners: Route } {
  /** Created on first use: most processes never need the JSON Schemas. */
  let described: ReturnType<typeof describe>[] | undefined

  function describe({ name, title, description, route }: WebMcpTool) {
    const row: ToolRow = {
      ...{ name, title, description },
      readOnly: route.method === 'GET',
      method: route.method === 'GET' ? 'GET' : 'POST',
      url: rest.url(`/ai/v1${route.path}`),
      isAbility: false,
      inputSchema: z.toJSONSchema(route.input ?? z.object({}), { io: 'input', unrepresentable: 'any' }),
    }
    return { isThere: route.when ?? (() => true), row }
  }

  const rowOf = ({ name, label, description, inputSchema }: Ability): ToolRow => ({
    // Names of tools must not contain a slash.
    ...{ name: name.replace('/', '.'), title: label, description, inputSchema },
    ...{ readOnly: true, method: 'GET', isAbility: true },
    url: rest.url(`/wp-abilities/v1/abilities/${name}/run`),
  })

  async function list(): Promise<ToolRow[]> {
    described ??= tools.map(describe)
    const own = described.filter(({ isThere }) => isThere()).map(({ row }) => row)
    const others = (await abilities.list(null)).filter(({ name, readonly }) => readonly && !name.startsWith(OF_CORE))
    return [...own, ...others.map(rowOf)]
  }

  const forPages: Route<z.ZodObject, string, typeof forPagesResponse> = {
    method: 'GET',
    path: '/webmcp/tools',
    response: forPagesResponse,
    access: 'public',
    summary: 'Lists the tools for browser agents, with their input schemas.',
    when: isOn,
    handler: async () => success({ items: await list() }),
  }
  const forOwners: Route<z.ZodObject, string, typeof forOwnersResponse> = {
    method: 'GET',
    path: '/browser-tools',
    response: forOwnersResponse,
    access: 'manage_options',
    summary: 'Lists the tools for browser agents, even if they are turned off.',
    handler: async () => success({ enabled: isOn(), items: await list() }),
  }
  return { forPages, forOwners }
}
