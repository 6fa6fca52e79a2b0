import { z } from 'zod'
import type { ExtensionHost } from '../../core/extensions/types.ts'
import { RestResponse } from '../../core/rest/response.ts'
import { pageSchema } from '../admin/pages.ts'
import { addPage } from './admin-pages.ts'
import { hookProblem, isPageHook } from './allowed-hooks.ts'
import { callWithoutChanges } from './changes.ts'
import { type loadPatterns, objectFromJsonSchema } from './from-json-schema.ts'
import { createGuestReaders } from './guest-readers.ts'
import { allowedHeaders } from './headers.ts'
import { publicUser } from './methods.ts'
import { type GrantedPermissions, PermissionError } from './permissions.ts'
import { forPages } from './queue.ts'
import type { Sandbox } from './sandbox.ts'
import type { SandboxUsage } from './usage.ts'
import { applyEffects, cleanValue, jsonValue, type PostLike, toGuest } from './values.ts'

const MOST = 200
/** Limits of scheduled events and the like, which no visitor waits for, in milliseconds. */
export const EVENT = { cpu: 500, wall: 30_000 }
/** Filters whose value is the text of any post, as it is being saved. */
const RAW_TEXT = /^(?:content|excerpt|title)_save_pre$|^wp_insert_post_empty_content$/
const TYPES = /^(?:application\/json|text\/plain|text\/csv)(?:;|$)/i

const callback = z.int().min(0).max(MOST)
const schemas = z.unknown().optional()
const registrationSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.enum(['action', 'filter']),
    hook: z.string().max(100),
    priority: z.number().min(-100_000).max(100_000).default(10),
    acceptedArgs: z.int().min(0).max(20).optional(),
    onError: z.enum(['open', 'closed']).optional(),
    callback,
  }),
  z.object({
    type: z.literal('route'),
    namespace: z.string().max(100),
    route: z.object({
      method: z.union([
        z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
        z.array(z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])).min(1),
      ]),
      // A pattern of a segment would run on the thread of the site.
      path: z
        .string()
        .max(200)
        .regex(/^[^:]*$/, 'Segments of a path cannot have patterns in a sandbox.'),
      access: z.string().max(100),
      summary: z.string().max(300).optional(),
    }),
    input: schemas,
    response: schemas,
    callback,
  }),
  z.object({ type: z.literal('schedule'), name: z.string().max(100), when: z.string().max(100), callback }),
  z.object({ type: z.enum(['activation', 'deactivation']), callback }),
  z.object({ type: z.literal('page'), page: pageSchema, callback }),
  z.object({
    type: z.literal('ability'),
    ability: z.object({
      ...{ name: z.string().max(60), label: z.string().max(200), description: z.string().max(2_000) },
      ...{ category: z.string().max(60), permission: z.string().max(100), readonly: z.literal(true) },
    }),
    ...{ input: schemas, output: schemas },
    callback,
  }),
])

type Registration = z.output<typeof registrationSchema>
type HookRegistration = Extract<Registration, { type: 'action' | 'filter' }>

export interface RegistrationParts {
  readonly host: ExtensionHost
  readonly granted: GrantedPermissions
  readonly usage: SandboxUsage
  readonly sandbox: Sandbox
  readonly patterns: Awaited<ReturnType<typeof loadPatterns>>
}

/**
 * Registers what the guest registered in its `setup`, each with a function that calls the guest.
 *
 * @param given - From the guest.
 * @throws Error if it is invalid; PermissionError
 */
export function registerAll(given: unknown, parts: RegistrationParts): void {
  const registrations = z.array(registrationSchema).max(MOST).parse(given)
  const groups = Map.groupBy(registrations.filter(isHook), ({ type, hook, priority, onError }) =>
    [type, hook, priority, onError].join(' '),
  )
  for (const group of groups.values()) addCallbacks(group, parts)
  for (const registration of registrations) {
    if (registration.type === 'route') addRoute(registration, parts)
    else if (registration.type === 'schedule') addSchedule(registration, parts)
    else if (registration.type === 'ability') addAbility(registration, parts)
    else if (registration.type === 'page') addPage(registration.page, parts.host, parts.granted)
    else if (registration.type === 'activation' || registration.type === 'deactivation') addStep(registration, parts)
  }
}

const isHook = (one: Registration): one is HookRegistration => one.type === 'action' || one.type === 'filter'

/** Adds all callbacks of the same hook and priority as one: the guest is called once for them. */
function addCallbacks(group: readonly HookRegistration[], { host, granted, usage, sandbox }: RegistrationParts): void {
  const [first] = group
  if (first === undefined) return
  const { type, hook, priority, onError } = first
  const problem = hookProblem(host.id, type, hook)
  if (problem !== undefined) throw new Error(problem)
  const isOwnSettings = hook.startsWith(`${host.id}_settings_update:`)
  if (!isOwnSettings && !granted.hooks.includes(hook)) throw new PermissionError(`The hook ${hook}`, 'hooks')
  const { content, unfilteredHtml } = granted
  if (RAW_TEXT.test(hook) && (content?.read !== 'all' || content.write !== 'all'))
    throw new PermissionError(`The hook ${hook}, which passes drafts,`, "content with read: 'all' and write: 'all'")
  const readers = createGuestReaders(host, granted, hook)
  const clean = (value: unknown, before?: unknown) => (unfilteredHtml ? value : cleanValue(value, before))
  const ids = group.map(({ callback: id, acceptedArgs }) => [id, acceptedArgs ?? null])

  const call = async (...args: readonly unknown[]): Promise<unknown> => {
    const isFilter = type === 'filter'
    const before = args[0]
    const { hidden, isPassed } = await readers.of(args)
    // The text of a draft is the value itself.
    if (!isPassed || (isFilter && hidden.size > 0)) return before
    const mayRead = (post: PostLike) => !hidden.has(post)
    usage.use(`hook ${hook}`)
    const guestArgs = args.map((arg) => toGuest(arg, mayRead) ?? null)
    const message = { type: 'hook', ids, isFilter, args: guestArgs }
    const { value, effects } = z.object({ value: z.unknown(), effects: z.unknown() }).parse(
      await sandbox.call({ what: hook, message }).catch((error: unknown) => {
        throw isPageHook(hook) ? forPages(error) : error
      }),
    )
    applyEffects(effects, args, (one) => clean(one))
    if (!isFilter) return undefined
    if (hook === 'read_post_caps') return restricted(before, value)
    return merged(before, guestArgs[0], clean(value, guestArgs[0]))
  }
  const options = { priority, ...(onError && { onError }) }
  if (type === 'filter') host.hooks.addFilter(hook, call, options)
  else host.hooks.addAction(hook, async (...args: readonly unknown[]) => void (await call(...args)), options)
}

/** The capabilities that a post requires: a sandboxed extension may add some, not remove any. */
function restricted(before: unknown, after: unknown): unknown {
  const added = z.array(z.string().max(100)).max(50).parse(after)
  return [...new Set([...(Array.isArray(before) ? before : []), ...added])]
}

/** The value with the changes of the guest, which did not receive all members of it. */
function merged(before: unknown, shown: unknown, after: unknown): unknown {
  if (!isObject(before) || !isObject(after) || !isObject(shown)) return after
  const hidden = Object.entries(before).filter(([key]) => !Object.hasOwn(shown, key))
  return { ...after, ...Object.fromEntries(hidden) }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function addRoute(
  { namespace, route, input, response, callback: id }: Extract<Registration, { type: 'route' }>,
  { host, granted, usage, sandbox, patterns }: RegistrationParts,
): void {
  if (!new RegExp(`^${host.id}/v\\d+$`).test(namespace)) throw new Error(`The namespace must be ${host.id}/v1.`)
  if (!granted.routes.includes(route.access)) throw new PermissionError(`A route for ${route.access}`, 'routes')
  const { method, path, access, summary } = route
  const name = `${[method].flat().join(', ')} /${namespace}${path}`
  host.rest.registerRoute(namespace, {
    ...{ method, path, access, ...(summary !== undefined && { summary }) },
    ...(input !== undefined && { input: objectFromJsonSchema(input, patterns) }),
    ...(response !== undefined && { response: objectFromJsonSchema(response, patterns) }),
    handler: async (request) => {
      usage.use(`route ${access}`)
      const asked = {
        ...{ input: request.input, sent: [...request.sent], params: request.params, method: request.method },
        ...{ route: request.route, user: granted.users ? publicUser(request.user) : null },
      }
      const answered = responseSchema.parse(
        await sandbox.call({ what: name, message: { type: 'call', id, args: [asked] } }),
      )
      return toResponse(answered)
    },
  })
}

const responseSchema = z.object({
  body: jsonValue,
  status: z.int().min(200).max(599),
  headers: z.record(z.string().max(100), z.string().max(4_000)),
})

function toResponse({ body, status, headers }: z.output<typeof responseSchema>): RestResponse {
  return new RestResponse(body, { status, headers: allowedHeaders(headers, TYPES) })
}

function addSchedule(
  { name, when, callback: id }: Extract<Registration, { type: 'schedule' }>,
  { host, granted, usage, sandbox }: RegistrationParts,
): void {
  if (!granted.schedules) throw new PermissionError('A scheduled event', 'schedules')
  if (!name.startsWith(`${host.id}-`)) throw new Error(`The name of a scheduled event must start with ${host.id}-.`)
  host.jobs.schedule(name, when, async () => {
    usage.use('schedules')
    await sandbox.call({ what: `event ${name}`, message: { type: 'call', id, args: [] }, ...EVENT })
  })
}

function addAbility(
  { ability, input, output, callback: id }: Extract<Registration, { type: 'ability' }>,
  { host, granted, usage, sandbox, patterns }: RegistrationParts,
): void {
  if (!granted.abilities) throw new PermissionError('An ability', 'abilities')
  if (!ability.name.startsWith(`${host.id}/`)) throw new Error(`The name of an ability must start with ${host.id}/.`)
  host.abilities.register({
    ...ability,
    ...(input !== undefined && { input: objectFromJsonSchema(input, patterns) }),
    output: objectFromJsonSchema(output, patterns),
    execute: async (given, caller) => {
      usage.use('abilities')
      const args = [given, granted.users ? publicUser(caller) : null]
      const result = await callWithoutChanges(() =>
        sandbox.call({ what: `ability ${ability.name}`, message: { type: 'call', id, args } }),
      )
      return z.record(z.string(), jsonValue).parse(result)
    },
  })
}

/** What the extension does once when it is activated or deactivated. */
function addStep(
  { type, callback: id }: Extract<Registration, { type: 'activation' | 'deactivation' }>,
  { host, sandbox }: RegistrationParts,
): void {
  const run = async () => void (await sandbox.call({ what: type, message: { type: 'call', id, args: [] }, ...EVENT }))
  if (type === 'activation') host.registerActivationHook(run)
  else host.registerDeactivationHook(run)
}
