import type { ContentsCheck } from './contents.ts'
import type { AsyncFilters, Filters } from './names.ts'
import type { ValueKind } from './value-kind.ts'

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

/** Every order of the members of a union, so that a list that leaves one out does not compile. */
type Ordered<Kind, Each = Kind> = [Kind] extends [never]
  ? readonly []
  : Each extends Kind
    ? readonly [Each, ...Ordered<Exclude<Kind, Each>>]
    : never

type IsUnion<Kind, Whole = Kind> = Kind extends Whole ? ([Whole] extends [Kind] ? false : true) : never

/** The kinds that a declared type allows: one, a list of several, or `'any'`. */
export type ShapeOf<Value> = unknown extends Value
  ? 'any'
  : ValueKind extends KindOf<Value>
    ? 'any'
    : IsUnion<KindOf<Value>> extends true
      ? Ordered<KindOf<Value>>
      : KindOf<Value>

/** A schema in the style of zod, of any version: only whether a value passes counts, never what the schema makes of it. */
export interface ValueSchema<Value> {
  safeParse(
    value: unknown,
  ): { readonly success: true; readonly data: Value } | { readonly success: false; readonly error: Error }
}

/** What callbacks of a filter may return at run time: kinds of values, a check of their contents, or a schema. */
export type FilterShape<Value> = ShapeOf<Value> | ContentsCheck | ValueSchema<Value> | ProtectiveShape<Value>

/** Of a filter that decides who may see or do what: each of its callbacks is as if it were added with `onError: 'closed'`. */
export interface ProtectiveShape<Value> {
  readonly value: ShapeOf<Value> | ContentsCheck | ValueSchema<Value>
  readonly onError: 'closed'
}

/** The shapes of declared filters, by name. What may be anything in a family of names is written as a star: `rest_*_query`. */
export type FilterShapes = {
  readonly [Name in keyof (Filters & AsyncFilters)]?: FilterShape<ValueOf<(Filters & AsyncFilters)[Name]>>
}

type ValueOf<Arguments> = Arguments extends readonly [infer Value, ...unknown[]] ? Value : unknown
