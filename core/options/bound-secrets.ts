import type { z } from 'zod'
import { isSet } from './secrets.ts'

/** A secret and the settings that determine where it is sent: `.meta({ secret: true, boundTo: ['webdavUrl', 'webdavUser'] })`. */
export interface BoundSecret {
  readonly key: string
  readonly address: readonly AddressKey[]
}

/** A setting that contains part of an address, or a list of addresses. */
export interface AddressKey {
  readonly key: string
  /** The address used if the value is empty, from `.meta({ emptyAddress })`; without it, an empty value is not an address. */
  readonly empty: string | undefined
}

type Values = Readonly<Record<string, unknown>>

const MESSAGE = 'The URL or account that this secret is used for has changed. Enter the secret again, or clear it.'

/**
 * Reads which secrets belong to which address.
 *
 * @throws Error if a secret is bound to a key that does not exist or is secret itself, or if a key that is not secret is bound
 */
export function readBoundSecrets(
  name: string,
  properties: Readonly<Record<string, object>>,
  secrets: ReadonlySet<string>,
): BoundSecret[] {
  return Object.entries(properties).flatMap(([key, property]) => {
    const keys: unknown = Reflect.get(property, 'boundTo')
    if (keys === undefined) return []
    if (!Array.isArray(keys) || !secrets.has(key)) {
      throw new Error(`The settings of ${name}: boundTo of ${key} must be a list of keys, and ${key} a secret.`)
    }
    const address = keys.map((other: unknown): AddressKey => {
      const found = typeof other === 'string' ? properties[other] : undefined
      if (typeof other !== 'string' || !found || secrets.has(other)) {
        throw new Error(
          `The settings of ${name} bind ${key} to ${String(other)}, which is not a different, non-secret setting.`,
        )
      }
      const empty: unknown = Reflect.get(found, 'emptyAddress')
      return { key: other, empty: typeof empty === 'string' ? empty : undefined }
    })
    return [{ key, address }]
  })
}

/**
 * Checks the effect of an update on stored secrets. A secret is sent only to the address for which it was entered; otherwise, an
 * administrator could obtain it by changing the address to a server of their own.
 *
 * @param supplied - Keys in the update; a secret among them was entered again or cleared.
 * @returns problems for secrets whose address changed, and the secrets to remove because their address was removed
 */
export function checkBoundSecrets(
  bound: readonly BoundSecret[],
  { previous, next, supplied }: { previous: Values; next: Values; supplied: ReadonlySet<string> },
): { readonly problems: z.core.$ZodIssue[]; readonly removed: readonly string[] } {
  const problems: z.core.$ZodIssue[] = []
  const removed: string[] = []
  for (const { key, address } of bound) {
    if (supplied.has(key) || !isSet(previous[key])) continue
    const changes = address.map((part) => changeOf(part, previous, next))
    if (changes.includes('other')) problems.push({ code: 'custom', path: [key], message: MESSAGE, input: undefined })
    else if (changes.includes('gone')) removed.push(key)
  }
  return { problems, removed }
}

/** How the recipients of an address changed; `none` even if there were none before. */
function changeOf({ key, empty }: AddressKey, previous: Values, next: Values): 'none' | 'other' | 'gone' {
  const before = recipientsIn(previous[key], empty)
  const after = recipientsIn(next[key], empty)
  if (before.length === 0) return 'none'
  if (after.length === 0) return 'gone'
  return after.every((one) => before.includes(one)) ? 'none' : 'other'
}

/** A URL counts by scheme, host and port only: another path is on the same server. */
function recipientsIn(value: unknown, empty: string | undefined): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => recipientsIn(one, undefined))
  const text = isSet(value) ? String(value) : empty
  if (text === undefined) return []
  const url = URL.parse(text)
  return [url?.host ? `${url.protocol}//${url.host}` : text]
}
