import type { AsyncFilters, Filters } from './names.ts'
import type { ContentsCheck } from './value-checks.ts'
import { describeValue, isThenable, kindOf, type ValueKind } from './value-kind.ts'

type KindOf<Value> = Value extends string
  ? 'string'
  : Value extends number
    ? 'number'
    : Value extends boolean
      ? 'boolean'
      : Value extends null
        ? 'null'
        : Value extends readonly unknown[]
          ? 'array'
          : Value extends object
            ? 'object'
            : never

/** All permutations of a union's members, so that an incomplete list does not compile. */
type Ordered<Kind, Each = Kind> = [Kind] extends [never]
  ? readonly []
  : Each extends Kind
    ? readonly [Each, ...Ordered<Exclude<Kind, Each>>]
    : never

type IsUnion<Kind, Whole = Kind> = Kind extends Whole ? ([Whole] extends [Kind] ? false : true) : never

/** The kinds of values that a declared type allows: one, several, or `'any'`. */
export type ShapeOf<Value> = unknown extends Value
  ? 'any'
  : ValueKind extends KindOf<Value>
    ? 'any'
    : IsUnion<KindOf<Value>> extends true
      ? Ordered<KindOf<Value>>
      : KindOf<Value>

/** A schema in the style of zod, any version: it only validates; transformations are ignored. */
export interface ValueSchema<Value> {
  safeParse(
    value: unknown,
  ): { readonly success: true; readonly data: Value } | { readonly success: false; readonly error: Error }
}

/** What callbacks of a filter may return at run time: kinds, a check of the contents, or a schema. */
export type FilterShape<Value> = ShapeOf<Value> | ContentsCheck | ValueSchema<Value> | ProtectiveShape<Value>

/** For filters that decide on access: every callback behaves as if added with `onError: 'closed'`. */
export interface ProtectiveShape<Value> {
  readonly value: ShapeOf<Value> | ContentsCheck | ValueSchema<Value>
  readonly onError: 'closed'
}

/** Shapes of declared filters by name. The variable part of a family is a star: `rest_*_query`. */
export type FilterShapes = {
  readonly [Name in keyof (Filters & AsyncFilters)]?: FilterShape<ValueOf<(Filters & AsyncFilters)[Name]>>
}

type ValueOf<Arguments> = Arguments extends readonly [infer Value, ...unknown[]] ? Value : unknown

/** Result of `typeof` for values that need no further check; empty if all values need one. */
export type ValidType = 'string' | 'number' | 'boolean' | ''

/** A shape as used by the guards. */
export interface Rule {
  /** Result of `typeof` that all allowed values have in common, and no others. */
  readonly validType: ValidType
  /** Whether its callbacks protect content. */
  readonly isProtective: boolean
  /** The problem with a value; `undefined` if it is valid. @param before - The value so far. */
  fault(value: unknown, before: unknown): string | undefined
}

interface Declaration {
  readonly name: string
  readonly rule: Rule
  /** The parts of a pattern between its stars. */
  readonly parts: readonly string[]
}

/** Shapes declared in one registry. The latest declaration of a name applies until it is undone. */
export class Shapes {
  /** By name, latest last. */
  readonly #named = new Map<string, readonly Declaration[]>()
  #patterns: readonly Declaration[] = []

  declare(shapes: Readonly<Record<string, unknown>>): () => void {
    const declared = Object.entries(shapes).map(
      ([name, shape]): Declaration => ({ name, rule: ruleOf(name, shape), parts: name.split('*') }),
    )
    for (const declaration of declared) {
      const { name, parts } = declaration
      this.#named.set(name, [...(this.#named.get(name) ?? []), declaration])
      if (parts.length > 1) this.#patterns = [...this.#patterns, declaration]
    }
    return () => {
      for (const { name } of declared) {
        const left = this.#named.get(name)?.filter((declaration) => !declared.includes(declaration)) ?? []
        if (left.length > 0) this.#named.set(name, left)
        else this.#named.delete(name)
      }
      this.#patterns = this.#patterns.filter((declaration) => !declared.includes(declaration))
    }
  }

  /** The rule for a hook: of its own name, or else of the longest matching pattern. */
  find(hook: string): Rule | undefined {
    const named = this.#named.get(hook)?.at(-1)
    if (named) return named.rule
    let found: Declaration | undefined
    for (const pattern of this.#patterns) {
      if (pattern.name.length >= (found?.name.length ?? 0) && matches(pattern, hook)) found = pattern
    }
    return found?.rule
  }
}

/** Result of `typeof` for a primitive value; empty for others. */
export function primitiveTypeOf(value: unknown): ValidType {
  if (typeof value === 'string') return 'string'
  if (typeof value === 'number') return 'number'
  return typeof value === 'boolean' ? 'boolean' : ''
}

const KINDS: readonly ValueKind[] = ['string', 'number', 'boolean', 'null', 'array', 'object']
const PRIMITIVES = ['string', 'number', 'boolean'] as const

/** @throws TypeError if the shape is invalid: plain JavaScript can declare anything. */
function ruleOf(hook: string, declared: unknown): Rule {
  const isProtective = isProtectiveShape(declared)
  return { ...checkOf(hook, isProtective ? declared.value : declared), isProtective }
}

function checkOf(hook: string, shape: unknown): Omit<Rule, 'isProtective'> {
  if (isSchema(shape)) {
    return {
      validType: '',
      fault(value) {
        if (isThenable(value)) return 'a promise'
        const result = shape.safeParse(value)
        return result.success ? undefined : `a value that its schema rejects (${result.error.message})`
      },
    }
  }
  if (isContentsCheck(shape)) return { validType: '', fault: (value, before) => shape.contentsFault(value, before) }
  if (shape === 'any') {
    return { validType: '', fault: (value) => (isThenable(value) ? 'a promise' : undefined) }
  }
  const kinds = KINDS.filter((kind) => (Array.isArray(shape) ? shape.includes(kind) : shape === kind))
  if (kinds.length !== (Array.isArray(shape) ? shape.length : 1)) {
    throw new TypeError(`The shape of ${hook} must be "any", one of ${KINDS.join(', ')}, a list of these, or a schema.`)
  }
  const wanted = kinds.join(' or ')
  return {
    validType: PRIMITIVES.find((kind) => kinds.length === 1 && kinds[0] === kind) ?? '',
    fault(value) {
      const kind = kindOf(value)
      return kind !== undefined && kinds.includes(kind) ? undefined : `${describeValue(value)} instead of ${wanted}`
    },
  }
}

function isSchema(shape: unknown): shape is ValueSchema<unknown> {
  return typeof shape === 'object' && shape !== null && 'safeParse' in shape && typeof shape.safeParse === 'function'
}

function isContentsCheck(shape: unknown): shape is ContentsCheck {
  return typeof shape === 'object' && shape !== null && 'contentsFault' in shape
}

function isProtectiveShape(shape: unknown): shape is { readonly value: unknown } {
  return (
    typeof shape === 'object' && shape !== null && 'onError' in shape && shape.onError === 'closed' && 'value' in shape
  )
}

function matches({ parts: [start = '', ...rest] }: Declaration, hook: string): boolean {
  const end = rest.pop()
  if (end === undefined || !hook.startsWith(start)) return false
  let at = start.length
  for (const part of rest) {
    const found = hook.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return hook.length - at >= end.length && hook.endsWith(end)
}
