import type { PartOf } from './part.ts'

type RowButton = NonNullable<PartOf<'table'>['actions']>[number]

/** A property such as `customer.name` of a response; `undefined` if it does not exist. */
export function memberOf(value: unknown, key: string): unknown {
  return key.split('.').reduce<unknown>((inner, name) => {
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, name)) return undefined
    return new Map<string, unknown>(Object.entries(inner)).get(name)
  }, value)
}

/** Whether a button is for this row. */
export function isShown({ when }: Pick<RowButton, 'when'>, row: unknown): boolean {
  const value = when && memberOf(row, when.key)
  return when === undefined || when.is.some((one) => one === value)
}

/** A value of a response as text. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null || value === '') return '–'
  if (typeof value === 'object') return JSON.stringify(value)
  return String(value)
}
