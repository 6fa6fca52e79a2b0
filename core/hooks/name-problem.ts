/** Keeps what is wrong with a name out of the names that an editor offers. */
export interface Problem {
  readonly [wrongName]: true
}
declare const wrongName: unique symbol

/** Whether a name is known at run time only: `string`, or a pattern such as `edit_${string}`. */
export type IsComputed<Name extends string> = Record<never, never> extends Record<Name, true> ? true : false

/**
 * What the compiler says of a name that nobody declared, with the declared name that is one slip away if there is one. The
 * compiler also tries every name that it offers, and so does not search for those.
 */
export type Unknown<Kind extends string, Name extends string, Declared extends string> = Name extends Declared
  ? never
  : IsComputed<Name> extends true
    ? never
    : Described<Kind, Name, Meant<Name, Declared>>

type Described<Kind extends string, Name extends string, Found extends string> = [Found] extends [never]
  ? `Unknown ${Kind} ${Name}. Check its spelling, or declare it with declare module 'pentad'.`
  : `Unknown ${Kind} ${Name}. Did you mean ${Found}? If not, declare it with declare module 'pentad'.`

/** Declared names that differ by one slip. */
type Meant<Name extends string, Declared extends string> =
  | Extract<Declared, Snake<Name> | `the_${Snake<Name>}`>
  | (Declared extends unknown ? (IsSlip<Name, Declared> extends true ? Declared : never) : never)

/** `my-hook` and `myHook` as WordPress writes them: `my_hook`. */
type Snake<Name extends string, Done extends string = ''> = Name extends `${infer First}${infer Rest}`
  ? Snake<Rest, `${Done}${First extends '-' ? '_' : First extends Lowercase<First> ? First : `_${Lowercase<First>}`}`>
  : Done

/** Whether one letter is missing, added or another one, or two are swapped: what is left at the first difference decides. */
type IsSlip<Name extends string, Declared extends string> = Name extends `${infer Letter}${infer Rest}`
  ? Declared extends `${Letter}${infer Others}`
    ? IsSlip<Rest, Others>
    : Declared extends `${infer Other}${infer Others}`
      ? Others extends Name | Rest
        ? true
        : Rest extends Declared | `${Other}${After<Others, Letter>}`
          ? true
          : false
      : Rest extends ''
        ? true
        : false
  : Declared extends `${infer _}${infer Others}`
    ? Others extends ''
      ? true
      : false
    : false

/** What follows the letter; `never` if the text begins with another one. */
type After<Text extends string, Letter extends string> = Text extends `${Letter}${infer Rest}` ? Rest : never
