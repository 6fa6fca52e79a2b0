/** Runs an extension in the engine: gives it its `host`, and answers the messages of the real host. */
import { RestError, RestResponse } from './pentad.js'

const { parse, stringify } = JSON
const send = globalThis.__send
const ask = globalThis.__ask
delete globalThis.__send
delete globalThis.__ask

/** Requests whose reply is awaited. */
const pending = new Map()
let lastId = 0
/** Callbacks, handlers and events, in the order in which `setup` registers them. */
const callbacks = []
const registrations = []
let isSettingUp = true

const REGISTER_IN_SETUP =
  'A sandboxed extension registers everything in setup, because its memory is discarded from time to time.'
const READ_IN_SETUP =
  'setup of a sandboxed extension runs again whenever its memory is renewed, so it only registers and reads. Do this in a callback.'

/** Asks the host and awaits the reply. */
function request(method, ...args) {
  if (isSettingUp) return Promise.reject(new Error(READ_IN_SETUP))
  const id = ++lastId
  const promise = new Promise((resolve, reject) => pending.set(id, { resolve, reject }))
  send(`?${stringify({ id, method, args })}`)
  return promise
}

/** Asks the host and waits for the reply. */
function requestSync(method, ...args) {
  const { value, error } = parse(ask(stringify({ method, args })))
  if (error) throw toError(error)
  return value
}

function register(registration, callback) {
  if (!isSettingUp) throw new Error(REGISTER_IN_SETUP)
  registrations.push({ ...registration, callback: callbacks.length })
  callbacks.push(callback)
  return () => {
    throw new Error(REGISTER_IN_SETUP)
  }
}

function toError({ name, message, code, data, headers }) {
  if (code !== undefined) return new RestError(code, message, data, headers)
  return Object.assign(new Error(message), { name: name ?? 'Error' })
}

function fromError(thrown) {
  if (thrown instanceof RestError) {
    const { code, message, data, headers, additional } = thrown
    return { code, message, data, headers, additional }
  }
  if (!(thrown instanceof Error)) return { message: String(thrown), stack: '' }
  return { name: thrown.name, message: thrown.message, stack: thrown.stack }
}

const asOptions = (priority, acceptedArgs) =>
  typeof priority === 'object' ? priority : { priority: priority ?? 10, acceptedArgs }

const addTo = (type) => (hook, callback, priority, acceptedArgs) => {
  if (typeof callback !== 'function') throw new TypeError(`The callback of ${hook} must be a function.`)
  return register({ type, hook, ...asOptions(priority, acceptedArgs) }, callback)
}

/** JSON Schema has no flags of patterns: a pattern that ignores case says so itself. */
function withFlags({ zodSchema, jsonSchema }) {
  let inner = zodSchema
  while (inner._zod.def.innerType) inner = inner._zod.def.innerType
  const pattern = inner._zod.def.checks?.map((check) => check._zod.def.pattern).find((one) => one instanceof RegExp)
  if (jsonSchema.pattern !== undefined && pattern?.flags.includes('i')) jsonSchema.pattern = `(?i)${pattern.source}`
}

const schemaOf = (schema, io) => schema?.toJSONSchema({ io, unrepresentable: 'any', override: withFlags })

function registerSettings(schema) {
  if (!isSettingUp) throw new Error(REGISTER_IN_SETUP)
  const secrets = new Set(requestSync('settings.register', schemaOf(schema, 'input')))
  /** A stored value that its schema does not allow counts as not set; of a secret, only the host knows the value. */
  const valid = (key, value) => {
    const parsed = secrets.has(key) ? { success: true, data: value } : schema.shape[key]?.safeParse(value)
    return parsed?.success ? parsed.data : schema.shape[key]?.parse(undefined)
  }
  return {
    get: () => {
      const stored = requestSync('settings.get')
      return Object.fromEntries(Object.keys(schema.shape).map((key) => [key, valid(key, stored[key])]))
    },
    update: (changes) => request('settings.update', changes),
  }
}

/** The input by the schema itself, which can express more than the JSON Schema that the host checked. */
function checked(schema, given) {
  const parsed = schema?.safeParse(given)
  if (parsed === undefined || parsed.success) return parsed?.data ?? given
  const [{ path, message }] = parsed.error.issues
  throw new RestError('rest_invalid_param', `Invalid parameter: ${path.join('.')}. ${message}`, { status: 400 })
}

function registerRoute(namespace, { handler, input, response, ...route }) {
  for (const key of Object.keys(route))
    if (typeof route[key] === 'function') throw new TypeError(`${key} cannot be a function in a sandboxed extension.`)
  const run = async (asked) => {
    const result = await handler({
      ...asked,
      input: checked(input, asked.input),
      sent: new Set(asked.sent),
    })
    if (result instanceof RestError) throw result
    if (result instanceof RestResponse) return { body: result.body, status: result.status, headers: result.headers }
    return { body: result ?? null, status: 200, headers: {} }
  }
  const schemas = { input: schemaOf(input, 'input'), response: schemaOf(response, 'output') }
  return register({ type: 'route', namespace, route, ...schemas }, run)
}

function registerAbility({ execute, preview: _, permits: __, input, output, ...ability }) {
  const run = (given, caller) => execute(checked(input, given), caller)
  return register(
    { type: 'ability', ability, input: schemaOf(input, 'input'), output: schemaOf(output, 'output') },
    run,
  )
}

async function modifyOption(name, change) {
  for (let attempt = 0; attempt < 10; attempt++) {
    const before = requestSync('options.get', name)
    if (await request('options.replace', name, before ?? null, change(before))) return
  }
  throw new Error(`The option ${name} is changed by others all the time.`)
}

class Response {
  #body
  constructor({ status, headers, url, body }) {
    Object.assign(this, { status, ok: status >= 200 && status < 300, url })
    this.headers = { get: (name) => headers[name.toLowerCase()] ?? null, has: (name) => name.toLowerCase() in headers }
    this.#body = body
  }
  text() {
    return Promise.resolve(this.#body)
  }
  async json() {
    return parse(this.#body)
  }
}

const asking = (methods, how) =>
  methods.reduce((members, method) => {
    const path = method.split('.')
    const last = path.pop()
    let at = members
    for (const name of path) at = at[name] ??= {}
    at[last] = (...args) => how(method, ...args)
    return members
  }, {})

const log = (level) => (fields, message) =>
  requestSync(`log.${level}`, ...(typeof fields === 'string' ? [{}, fields] : [fields, message]))

function createHost(id, methods, site) {
  const logs = { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') }
  const host = { ...asking(methods.sync, requestSync) }
  const asyncMembers = asking(methods.async, request)
  for (const [name, members] of Object.entries(asyncMembers))
    host[name] = typeof members === 'function' ? members : { ...host[name], ...members }
  globalThis.console = { ...logs, log: logs.info }
  return Object.assign(host, {
    ...{ id, site, log: logs },
    hooks: { ...host.hooks, addAction: addTo('action'), addFilter: addTo('filter') },
    rest: { registerRoute },
    settings: { register: registerSettings },
    options: { ...host.options, modify: modifyOption },
    jobs: { schedule: (name, when, run) => register({ type: 'schedule', name, when }, run) },
    abilities: { register: registerAbility },
    admin: { addPage: (page) => register({ type: 'page', page }, () => {}) },
    registerActivationHook: (callback) => register({ type: 'activation' }, callback),
    registerDeactivationHook: (callback) => register({ type: 'deactivation' }, callback),
    fetch: async (url, init = {}) => new Response(await request('fetch', String(url), init)),
    onDispose() {},
  })
}

/** Methods of arguments, such as `output.print`: calls are recorded, and made by the host. */
function withMethods(args, effects) {
  args.forEach((arg, index) => {
    for (const method of arg?.$methods ?? []) arg[method] = (...given) => void effects.push([index, method, given])
    if (arg?.$methods) delete arg.$methods
  })
  return args
}

async function runHook({ ids, isFilter, args }) {
  const effects = []
  const [first, ...rest] = withMethods(args, effects)
  let value = first
  for (const [id, acceptedArgs] of ids) {
    const result = await callbacks[id](...[value, ...rest].slice(0, acceptedArgs ?? undefined))
    if (isFilter && result !== undefined) value = result
  }
  return { value: isFilter ? value : null, effects }
}

const runs = {
  hook: runHook,
  call: ({ id, args }) => callbacks[id](...args),
}

/** @param definition - The default export of the extension. */
export function start(definition) {
  async function setUp({ methods, site }) {
    await definition.setup(createHost(definition.id, methods, site))
    isSettingUp = false
    return registrations
  }

  /** Without `setup`, so nothing is registered. */
  async function uninstall({ methods, site }) {
    isSettingUp = false
    await definition.uninstall(createHost(definition.id, methods, site))
  }

  globalThis.__receive = (json) => {
    const message = parse(json)
    if (message.type === 'reply') {
      const { resolve, reject } = pending.get(message.id) ?? {}
      pending.delete(message.id)
      if (message.error) reject?.(toError(message.error))
      else resolve?.(message.value)
      return
    }
    const finish = (result) => send(`=${stringify(result)}`)
    if (message.type === 'describe') {
      const { setup, uninstall, ...described } = definition
      finish({
        value: { ...described, hasSetup: typeof setup === 'function', hasUninstall: typeof uninstall === 'function' },
      })
      return
    }
    const run = { ...runs, start: setUp, uninstall }[message.type]
    Promise.resolve()
      .then(() => run(message))
      .then((value) => finish({ value: value ?? null }))
      .catch((thrown) => finish({ error: fromError(thrown) }))
  }
}
