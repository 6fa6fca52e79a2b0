/** Members of services that extensions do not receive. */
const HOST_ONLY: ReadonlySet<PropertyKey> = new Set([
  ...['addMetaCapabilities', 'addUserCondition', 'canWith', 'close', 'connect', 'extendAuth', 'listener'],
  ...['recordSecurityEvent', 'respond'],
])

/** Shared by all extensions. */
const views = new WeakMap<object, object>()

/**
 * A service of the host as extensions receive it: deeply frozen. Services are shared, so an assignment such as `content.canRead = …` would
 * change them for the product and all extensions, and could not be undone. It throws a `TypeError` instead; use filters to change
 * behavior.
 *
 * @param replaced members specific to the extension
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

/** Merges the members that several parts provide for one service; later parts take precedence. */
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
