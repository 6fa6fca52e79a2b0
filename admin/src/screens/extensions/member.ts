/** A property such as `customer.name` of a response; `undefined` if it does not exist. */
export function memberOf(value: unknown, key: string): unknown {
  return key.split('.').reduce<unknown>((inner, name) => {
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, name)) return undefined
    return new Map<string, unknown>(Object.entries(inner)).get(name)
  }, value)
}

/** A value of a response as text. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null || value === '') return '–'
  if (typeof value === 'object') return JSON.stringify(value)
  return String(value)
}
