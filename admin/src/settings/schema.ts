/** JSON Schema of a settings key, as `GET host/v1/settings-schema/{name}` returns it. */
export interface SettingSchema {
  readonly type?: string | readonly string[]
  readonly title?: string
  readonly description?: string
  readonly group?: string
  readonly secret?: boolean
  readonly default?: unknown
  readonly enum?: readonly (string | number)[]
  readonly format?: string
  /** ISO 4217 code of a price in the smallest currency unit. */
  readonly currency?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly maxItems?: number
  readonly items?: SettingSchema
  readonly properties?: Readonly<Record<string, SettingSchema>>
  readonly additionalProperties?: boolean | SettingSchema
  readonly anyOf?: readonly SettingSchema[]
  /** What services add with `.meta`. */
  readonly [keyword: string]: unknown
}

/** The type of control for a key. */
export type FieldKind =
  | 'toggle'
  | 'switch'
  | 'choice'
  | 'choices'
  | 'list'
  | 'number'
  | 'money'
  | 'secret'
  | 'color'
  | 'lines'
  | 'line'
  | 'json'

export function kindOf(schema: SettingSchema): FieldKind {
  if (schema.secret) return 'secret'
  if (typeof schema.currency === 'string') return 'money'
  if (schema.enum)
    return schema.enum.length === 2 && schema.enum.every((one) => one === 'on' || one === 'off') ? 'toggle' : 'choice'
  switch (plainType(schema)) {
    case 'boolean':
      return 'switch'
    case 'integer':
    case 'number':
      return 'number'
    case 'array':
      if (schema.items?.enum) return 'choices'
      return schema.items && plainType(schema.items) === 'string' ? 'list' : 'json'
    case 'string':
      if (schema.format === 'color') return 'color'
      return (schema.maxLength ?? 0) > 500 ? 'lines' : 'line'
    default:
      return 'json'
  }
}

/** The type of a value that may also be `null`, or of a URL that may also be empty. */
function plainType({ type, anyOf }: SettingSchema): string | undefined {
  if (typeof type === 'string') return type
  const types = new Set([...(type ?? []), ...(anyOf ?? []).map(plainType)].filter((one) => one !== 'null'))
  const [only] = types
  return types.size === 1 ? only : undefined
}

/** `keepLatestBackupsCount` → `Keep latest backups count`: for keys without a title. */
export function titleOf(key: string, { title }: SettingSchema): string {
  if (title) return title
  const words = key
    .replace(/[_-]+/g, ' ')
    .replace(/([a-z])([A-Z])/g, (_, before, after) => `${before} ${after.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Values that are names, with special capitalization. */
export const NAMES: Readonly<Record<string, string>> = { webp: 'WebP', avif: 'AVIF', starttls: 'STARTTLS', tls: 'TLS' }

/** `bottom-right` → `Bottom right`; `undefined` for names, such as `WebP`. A value with capitals is a name already. */
export function plainWordsOf(value: string | number): string | undefined {
  const plain = String(value)
  return plain in NAMES || !/^[a-z]+([_-][a-z]+)*$/.test(plain) ? undefined : titleOf(plain, {})
}

/** An example value: `[{ platform: '…', url: '…' }]`. */
export function exampleOf(schema: SettingSchema): unknown {
  const { items, properties = {}, additionalProperties: others, minimum = 1 } = schema
  if (schema.enum) return schema.enum[0]
  const [first] = schema.anyOf ?? []
  if (first) return exampleOf(first)
  switch (plainType(schema)) {
    case 'array':
      return items ? [exampleOf(items)] : []
    case 'object':
      return Object.fromEntries([
        ...Object.entries(properties).map(([key, one]) => [key, exampleOf(one)]),
        ...(typeof others === 'object' && Object.keys(others).length > 0 ? [['…', exampleOf(others)]] : []),
      ])
    case 'integer':
    case 'number':
      return minimum
    case 'boolean':
      return true
    default:
      return '…'
  }
}
