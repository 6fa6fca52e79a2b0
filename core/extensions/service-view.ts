/** Members that are the host's alone, in every service. */
const HOST_ONLY: ReadonlySet<PropertyKey> = new Set([
  ...[
    'addMetaCapabilities',
    'addUserCondition',
    'authenticate',
    'canWith',
    'close',
    'connect',
    'extendAuth',
    'listener',
  ],
  ...['recordSecurityEvent', 'signInLimit'],
])

/** All extensions get the same views of what lies inside a service. */
const views = new WeakMap<object, object>()

/**
 * A service of the host as an extension gets it: frozen, down to what lies inside. Services are shared, so an
 * assignment such as `content.canRead = …` would change them for the product and for all extensions, and nobody would
 * undo it. It throws a `TypeError` instead; what may be changed has a filter.
 *
 * @param replaced members that are the extension's own
 */
export function serviceView<Service extends object>(service: Service, replaced: Partial<Service> = {}): Service {
  const own = new Map<PropertyKey, unknown>(Object.entries(replaced))
  const members: PropertyDescriptorMap = {}
  for (const key of Reflect.ownKeys(service)) {
    if (HOST_ONLY.has(key)) continue
    const { get } = Object.getOwnPropertyDescriptor(service, key) ?? {}
    if (get) members[key] = { enumerable: true, get: () => Reflect.get(service, key) }
    else members[key] = { enumerable: true, value: own.get(key) ?? memberView(service, Reflect.get(service, key)) }
  }
  return Object.freeze(Object.create(Object.prototype, members))
}

/** What several parts of the host give as one service; of a member that two of them have, the later one's counts. */
export function joinedView(views: readonly (object | undefined)[]): object {
  const members = views.map((view) => Object.getOwnPropertyDescriptors(view ?? {}))
  return Object.freeze(Object.create(Object.prototype, Object.assign({}, ...members)))
}

function memberView(service: object, member: unknown): unknown {
  if (typeof member === 'function') return member.bind(service)
  if (typeof member !== 'object' || member === null || Object.getPrototypeOf(member) !== Object.prototype) return member
  const known = views.get(member)
  if (known) return known
  const view = serviceView(member)
  views.set(member, view)
  return view
}

/** The same object, with some of its functions replaced. */
export function viewOf<Target extends object>(target: Target, replaced: Partial<Target>): Target {
  const bound = new Map<PropertyKey, unknown>(Object.entries(replaced))
  return new Proxy(target, {
    get(_, key) {
      if (bound.has(key)) return bound.get(key)
      const value: unknown = Reflect.get(target, key)
      if (typeof value !== 'function') return value
      const method = value.bind(target)
      bound.set(key, method)
      return method
    },
  })
}
