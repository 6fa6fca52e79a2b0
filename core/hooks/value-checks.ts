import { validateHeaderName, validateHeaderValue } from 'node:http'
import { findUnserializable } from './serializable.ts'
import { describeValue, kindOf, type ValueKind } from './value-kind.ts'

/** Maximum length of all texts of an array, in characters. */
const MAX_TOTAL_LENGTH = 16_777_216
/** Maximum length of all headers in characters: many clients and proxies accept 16 KiB, with those that the server adds. */
const MAX_HEADERS_LENGTH = 15_000

/** Checks a value beyond its kind. */
export interface ContentsCheck {
  /** The problem with the value, completing “The callback returned …”; `undefined` if it is valid. @param before - The value so far. */
  contentsFault(value: unknown, before?: unknown): string | undefined
}

/** The type of a nested value: a kind, or a check. */
export type Check = ValueKind | ContentsCheck

/** An array in which every item passes one of these checks. */
export function listOf(...checks: readonly Check[]): ContentsCheck {
  return {
    contentsFault(value) {
      if (!Array.isArray(value)) return `${describeValue(value)} instead of array`
      let length = 0
      // By index: the array may have an iterator of its own.
      for (let at = 0; at < value.length; at++) {
        const item: unknown = value[at]
        const fault = faultOf(checks, item)
        if (fault !== undefined) return `an array whose item ${at} is ${fault}`
        length += typeof item === 'string' ? item.length : 0
        if (length > MAX_TOTAL_LENGTH) return `an array of more than ${MAX_TOTAL_LENGTH} characters`
      }
      return undefined
    },
  }
}

/** A record in which every value passes one of these checks. */
export function recordOf(...checks: readonly Check[]): ContentsCheck {
  return {
    contentsFault(value) {
      if (!isRecord(value)) return `${describeValue(value)} instead of object`
      for (const key in value) {
        const fault = faultOf(checks, Reflect.get(value, key))
        if (fault !== undefined) return `an object whose "${key}" is ${fault}`
      }
      return undefined
    },
  }
}

/**
 * An object whose members each pass one of their checks. Other members are ignored.
 * @param optional Members that may be missing or `undefined`.
 * @param required Members that must exist.
 */
export function membersOf<Value extends object>(
  optional: Members<Value, OptionalKey<Value>>,
  required: Members<Value, Exclude<keyof Value, OptionalKey<Value>>>,
): ContentsCheck {
  const membersIn = (checks: Readonly<Record<string, MemberCheck>>, isOptional: boolean) =>
    Object.entries(checks).map(([name, check]) => ({ name, checks: [check].flat(), isOptional }))
  const members = [...membersIn(optional, true), ...membersIn(required, false)]
  return {
    contentsFault(value) {
      if (!isRecord(value)) return `${describeValue(value)} instead of object`
      for (const { name, checks, isOptional } of members) {
        const member = value[name]
        if (member === undefined && isOptional) continue
        const fault = faultOf(checks, member)
        if (fault !== undefined) return `an object whose "${name}" is ${fault}`
      }
      return undefined
    },
  }
}

type MemberCheck = Check | readonly Check[]

type Members<Value, Name extends keyof Value> = { readonly [Each in Name]-?: MemberCheck }

type OptionalKey<Value> = { [Name in keyof Value]-?: undefined extends Value[Name] ? Name : never }[keyof Value]

/** One of these strings. */
export function oneOf<Text extends string>(...texts: readonly Text[]): ContentsCheck {
  return {
    contentsFault(value) {
      if (texts.some((text) => text === value)) return undefined
      return `${typeof value === 'string' ? 'a string' : describeValue(value)} that is none of: ${texts.join(', ')}`
    },
  }
}

/** A value that passes the check, or `null`. */
export function orNull(check: Check): ContentsCheck {
  return { contentsFault: (value) => (value === null ? undefined : faultOf([check], value)) }
}

/** A number that databases store exactly: neither NaN, infinite nor beyond the safe integers. */
export const finiteNumber: ContentsCheck = {
  contentsFault(value) {
    if (typeof value !== 'number') return `${describeValue(value)} instead of number`
    return Math.abs(value) <= Number.MAX_SAFE_INTEGER ? undefined : `the number ${value}`
  },
}

/** A function. */
export const callable: ContentsCheck = {
  contentsFault: (value) => (typeof value === 'function' ? undefined : `${describeValue(value)} instead of function`),
}

/** HTTP headers by name, each valid for sending (RFC 9110, 5.5). */
export const headers: ContentsCheck = {
  contentsFault(value, before) {
    const fault = recordOf('string').contentsFault(value)
    return fault !== undefined || !isRecord(value)
      ? fault
      : findUnsendableHeaders(value, isRecord(before) ? before : {})
  },
}

/** Why headers cannot be sent; `undefined` if they can. @param checked - Headers that were checked before. */
export function findUnsendableHeaders(
  given: Readonly<Record<string, unknown>>,
  checked: Readonly<Record<string, unknown>> = {},
): string | undefined {
  let length = 0
  for (const [name, value] of Object.entries(given)) {
    const texts: unknown[] = Array.isArray(value) ? value : [value]
    for (const text of texts) {
      try {
        if (text !== checked[name]) {
          validateHeaderName(name)
          validateHeaderValue(name, String(text))
        }
      } catch (error) {
        return `a header that cannot be sent (${error instanceof Error ? error.message : name})`
      }
      length += name.length + String(text).length
    }
  }
  if (length <= MAX_HEADERS_LENGTH) return undefined
  return `headers of ${length} characters, more than clients and proxies accept (${MAX_HEADERS_LENGTH})`
}

/** An array or object that can be serialized as JSON: without circular references, BigInts and functions that throw. */
export function json(kind: 'array' | 'object'): ContentsCheck {
  return {
    contentsFault(value) {
      if (kindOf(value) !== kind) return `${describeValue(value)} instead of ${kind}`
      const wrong = findUnserializable(value)
      return wrong === undefined ? undefined : `an ${kind} that cannot be serialized as JSON: it contains ${wrong}`
    },
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return kindOf(value) === 'object'
}

/** The problem of a value that passes none of the checks: from the check of its kind, if there is one. */
function faultOf(checks: readonly Check[], value: unknown): string | undefined {
  let fault: string | undefined
  const kind = kindOf(value)
  for (const check of checks) {
    if (typeof check === 'string') {
      if (check === kind) return undefined
      continue
    }
    fault = check.contentsFault(value)
    if (fault === undefined) return undefined
  }
  const kinds = checks.filter((check) => typeof check === 'string')
  return fault ?? `${describeValue(value)} instead of ${kinds.join(' or ')}`
}
