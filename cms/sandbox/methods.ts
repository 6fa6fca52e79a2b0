import { z } from 'zod'
import type { User } from '../../core/auth/types.ts'
import type { ExtensionHost } from '../../core/extensions/types.ts'
import type { Settings } from '../../core/options/types.ts'
import { conditionals } from '../site/conditionals.ts'
import { createBudget } from './budget.ts'
import { assertMayChange } from './changes.ts'
import { contentMethods } from './content-methods.ts'
import { createFetch } from './fetch.ts'
import { objectFromJsonSchema } from './from-json-schema.ts'
import { createGuestSecrets } from './guest-secrets.ts'
import { hmac, SECRET_PREFIX } from './hmac.ts'
import type { MethodParts } from './method-parts.ts'
import { PermissionError } from './permissions.ts'
import { createPurge } from './purge.ts'
import type { GuestRequest } from './sandbox.ts'
import { createSpace } from './space.ts'
import { jsonValue } from './values.ts'

/** A request of the guest: checks the arguments and the permission, then does it. */
type Method = (...args: readonly unknown[]) => unknown

/** The methods that a guest may call. Synchronous ones make the guest wait, so they answer at once. */
export interface Methods {
  readonly names: { readonly sync: readonly string[]; readonly async: readonly string[] }
  handle(request: GuestRequest, isSync: boolean): unknown
}

/** Stands for a secret setting: the guest passes it on, but never sees the secret. */
const HANDLE = /\{\{secret:(\w{1,60})\}\}/g
const text = z.string().max(100_000)
/** Lines that an extension may write to the log within a minute. */
const MOST_LINES = 600
/** Methods that change something. */
const CHANGES =
  /^(?:hooks\.doAction|settings\.update|options\.(?:update|delete|replace)|mail\.send|content\..*\.(?:insert|update|delete|set))$/

const hmacOptions = z.strictObject({
  hash: z.enum(['sha256', 'sha512']).optional(),
  encoding: z.enum(['hex', 'base64']).optional(),
  key: z.strictObject({ prefix: z.literal(SECRET_PREFIX).optional(), encoding: z.enum(['utf8', 'base64']) }).optional(),
})

export function createMethods(parts: MethodParts): Methods {
  const { host, granted, usage } = parts
  let settings: Settings | undefined
  const secrets = createGuestSecrets(host, granted)
  /** Default values as JSON. */
  let defaults: Readonly<Record<string, string>> = {}

  function requireSettings(): Settings {
    if (settings === undefined) throw new Error('The extension has registered no settings.')
    return settings
  }

  /** The settings without those that have their defaults, which the author of the extension chose. */
  function enteredSettings(): Readonly<Record<string, unknown>> {
    const values = Object.entries(settings?.get() ?? {})
    return Object.fromEntries(values.filter(([key, value]) => JSON.stringify(value) !== defaults[key]))
  }

  /** The text with the secrets that it refers to. @param to - The host that it is sent to, if any */
  function withSecrets(given: string, to?: string): string {
    return given.replace(HANDLE, (handle, key: string) => {
      if (!secrets.has(key)) return handle
      const values = requireSettings().get()
      if (to !== undefined) secrets.checkHost(key, to, values)
      usage.use('settings')
      return String(values[key] ?? '')
    })
  }

  const optionName = (given: unknown): string => {
    if (granted.storage === undefined) throw new PermissionError('Storing data', 'storage')
    const name = z.string().max(100).parse(given)
    if (!name.startsWith(`${host.id}_`)) throw new Error(`The name of the option must start with ${host.id}_.`)
    if (name === `${host.id}_settings`) throw new Error('Settings are changed with settings.update.')
    usage.use('storage')
    return name
  }

  const currentUser = (): User | null => {
    if (!granted.users) throw new PermissionError('Reading the current user', 'users')
    usage.use('users')
    return host.getCurrentUser()
  }

  const space = createSpace(host, granted.storage ?? 0)
  const mailBudget = createBudget(granted.mail?.perHour ?? 0, 3_600_000)
  const logBudget = createBudget(MOST_LINES, 60_000)
  const log = (level: 'debug' | 'info' | 'warn' | 'error') => (fields: unknown, message: unknown) => {
    logBudget.take(`The extension may write ${MOST_LINES} lines a minute to the log.`)
    const known = z.record(z.string().max(60), jsonValue).catch({}).parse(fields)
    host.log[level]({ guest: JSON.stringify(known).slice(0, 2_000) }, String(message).slice(0, 2_000))
  }

  const sync: Record<string, Method> = {
    'log.debug': log('debug'),
    'log.info': log('info'),
    'log.warn': log('warn'),
    'log.error': log('error'),
    'options.get': (name) => host.options.get(optionName(name)),
    'settings.register': (schema) => {
      if (!granted.settings) throw new PermissionError('Registering settings', 'settings')
      // `setup` runs again in each new instance.
      if (settings === undefined) {
        const converted = objectFromJsonSchema(schema, parts.patterns)
        settings = host.settings.register(converted)
        defaults = Object.fromEntries(
          Object.entries(converted.parse({})).map(([key, value]) => [key, JSON.stringify(value)]),
        )
        secrets.mark(schema)
      }
      return secrets.keys()
    },
    'settings.get': () => {
      usage.use('settings')
      const values = requireSettings().get()
      return Object.fromEntries(
        Object.entries(values).map(([key, value]) => [key, secrets.has(key) && value ? `{{secret:${key}}}` : value]),
      )
    },
    'secrets.hmac': (secret, message, options) =>
      hmac(withSecrets(text.parse(secret)), text.parse(message), hmacOptions.parse(options ?? {})),
    ...textMethods(host),
    'hooks.doAction': createPurge(parts),
    isUserLoggedIn: () => currentUser() !== null,
    getCurrentUser: () => publicUser(currentUser()),
    ...Object.fromEntries(
      Object.entries(conditionals).flatMap(([name, read]) =>
        /^(?:is|in)[A-Z0-9]/.test(name)
          ? [[name, (...args: readonly unknown[]) => Boolean(Reflect.apply(read, undefined, args))]]
          : [],
      ),
    ),
  }

  const asynchronous: Record<string, Method> = {
    ...contentMethods(parts),
    'settings.update': (given) => {
      const changes = z.record(z.string(), jsonValue).parse(given)
      const ofHosts = granted.fetch?.hostsFromSettings.find((key) => Object.hasOwn(changes, key))
      if (ofHosts !== undefined) {
        throw new Error(`Only an administrator can change ${ofHosts}: it decides where requests are sent.`)
      }
      return requireSettings().update(changes)
    },
    'options.update': (name, value) => {
      const checked = optionName(name)
      return space.reserve(checked, value, () => host.options.update(checked, jsonValue.parse(value)))
    },
    'options.delete': (name) => host.options.delete(optionName(name)),
    'options.replace': (name, before, after) => replaceOption(optionName(name), before, after),
    'mail.send': async (message) => {
      if (granted.mail === undefined) throw new PermissionError('Sending mail', 'mail')
      const mail = mailSchema.parse(message)
      mailBudget.take(
        `The extension may send ${granted.mail.perHour} emails an hour (permissions.mail).`,
        [mail.to].flat().length,
      )
      usage.use('mail')
      const { messageId } = await host.mail.send(mail)
      return { messageId }
    },
    currentUserCan: async (capability, ...ids) => {
      currentUser()
      const can: (name: string, ...of: number[]) => unknown = host.currentUserCan
      return can(z.string().max(100).parse(capability), ...z.array(z.int()).max(3).parse(ids))
    },
    fetch: createFetch({ ...parts, withSecrets, enteredSettings }),
  }

  /** @returns whether the option still had the value `before` */
  async function replaceOption(name: string, before: unknown, after: unknown): Promise<boolean> {
    let replaced = false
    await space.reserve(name, after, () =>
      host.options.modify(name, (current) => {
        replaced = JSON.stringify(current ?? null) === JSON.stringify(before)
        return replaced ? jsonValue.parse(after) : (current ?? null)
      }),
    )
    return replaced
  }

  return {
    names: {
      sync: Object.keys(sync).filter((name) => !/^(?:log|settings)\./.test(name)),
      async: asyncNames(asynchronous),
    },
    handle({ method, args }, isSync) {
      const methods = isSync ? sync : asynchronous
      const found = Object.hasOwn(methods, method) ? methods[method] : undefined
      if (found === undefined) throw new Error(`There is no ${method.slice(0, 100)} in a sandbox.`)
      if (CHANGES.test(method)) assertMayChange(method)
      const note = (error: unknown): never => {
        if (error instanceof PermissionError) usage.refuse(`${method}: ${error.message}`)
        throw error
      }
      try {
        const result = found(...args)
        return result instanceof Promise ? result.catch(note) : result
      } catch (error) {
        return note(error)
      }
    },
  }
}

/** Translations, in the language of the request that the call belongs to. */
function textMethods({ __, _x, _n, _nx }: ExtensionHost): Record<string, Method> {
  const count = z.number()
  return {
    __: (...given) => __(...z.tuple([text, text]).parse(given)),
    _x: (...given) => _x(...z.tuple([text, text, text]).parse(given)),
    _n: (...given) => _n(...z.tuple([text, text, count, text]).parse(given)),
    _nx: (...given) => _nx(...z.tuple([text, text, count, text, text]).parse(given)),
  }
}

const mailSchema = z.strictObject({
  to: z.union([z.email(), z.array(z.email()).min(1).max(20)]),
  subject: z.string().max(998),
  text: z.string().max(500_000).optional(),
  html: z.string().max(500_000).optional(),
  replyTo: z.email().optional(),
})

const asyncNames = (methods: Record<string, Method>) =>
  Object.keys(methods).filter((name) => !['fetch', 'settings.update', 'options.replace'].includes(name))

/** A user as guests see it. */
export function publicUser(user: User | null) {
  if (user === null) return null
  const { id, slug, displayName, roles } = user
  return { id, slug, displayName, roles }
}
