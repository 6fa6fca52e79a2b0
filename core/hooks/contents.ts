import { validateHeaderName, validateHeaderValue } from 'node:http'
import { describeValue, kindOf, type ValueKind } from './shapes.ts'
import { findUnwritable } from './unwritable.ts'

/** Checks more of a value than what kind it is. */
export interface ContentsCheck {
  /** What is wrong with the value, as the end of “The callback returned …”; `undefined` where nothing is. */
  contentsFault(value: unknown): string | undefined
}

/** A list in which every item is of one of these kinds. */
export function listOf(...kinds: readonly ValueKind[]): ContentsCheck {
  return {
    contentsFault(value) {
      if (!Array.isArray(value)) return `${describeValue(value)} instead of array`
      const wrong = value.findIndex((item) => !isOf(kinds, item))
      return wrong === -1
        ? undefined
        : `an array with ${describeValue(value[wrong])} at ${wrong}, where ${named(kinds)} belongs`
    },
  }
}

/** A record of which every value is of one of these kinds. */
export function recordOf(...kinds: readonly ValueKind[]): ContentsCheck {
  return {
    contentsFault(value) {
      if (!isRecord(value)) return `${describeValue(value)} instead of object`
      for (const key in value) {
        const item = Reflect.get(value, key)
        if (!isOf(kinds, item))
          return `an object with ${describeValue(item)} in "${key}", where ${named(kinds)} belongs`
      }
      return undefined
    },
  }
}

/** HTTP headers by name, each one that can be sent (RFC 9110, 5.5). */
export const headers: ContentsCheck = {
  contentsFault(value) {
    const fault = recordOf('string').contentsFault(value)
    if (fault !== undefined || !isRecord(value)) return fault
    for (const name in value) {
      const wrong = findUnsendableHeader(name, Reflect.get(value, name))
      if (wrong !== undefined) return wrong
    }
    return undefined
  },
}

/** What keeps a header from being sent; `undefined` where nothing does. */
export function findUnsendableHeader(name: string, value: unknown): string | undefined {
  try {
    validateHeaderName(name)
    validateHeaderValue(name, String(value))
    return undefined
  } catch (error) {
    return `a header that cannot be sent (${error instanceof Error ? error.message : name})`
  }
}

/** An array or an object that can be written as JSON: without circles, BigInts and functions that throw. */
export function json(kind: 'array' | 'object'): ContentsCheck {
  return {
    contentsFault(value) {
      if (kindOf(value) !== kind) return `${describeValue(value)} instead of ${kind}`
      const wrong = findUnwritable(value)
      return wrong === undefined ? undefined : `an ${kind} that cannot be written as JSON: it holds ${wrong}`
    },
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return kindOf(value) === 'object'
}

function isOf(kinds: readonly ValueKind[], value: unknown): boolean {
  const kind = kindOf(value)
  return kind !== undefined && kinds.includes(kind)
}

function named(kinds: readonly ValueKind[]): string {
  return kinds.join(' or ')
}
