/** Marker type that keeps problem descriptions out of completions. */
export interface Problem {
  readonly [wrongName]: true
}
declare const wrongName: unique symbol

/** Whether a name is known only at run time: `string`, or a pattern such as `edit_${string}`. */
export type IsComputed<Name extends string> = Record<never, never> extends Record<Name, true> ? true : false

/**
 * The compile error for an undeclared name, with a declared name that differs by one typo if there is one. The compiler also evaluates
 * it for every completed name, and must not search for those.
 */
export type Unknown<Kind extends string, Name extends string, Declared extends string> = Name extends Declared
  ? never
  : IsComputed<Name> extends true
    ? never
    : Described<Kind, Name, Meant<Name, Declared>>

type Described<Kind extends string, Name extends string, Found extends string> = [Found] extends [never]
  ? `Unknown ${Kind} ${Name}. Check its spelling, or declare it with declare module 'pentad'.`
  : `Unknown ${Kind} ${Name}. Did you mean ${Found}? If not, declare it with declare module 'pentad'.`

/** Declared names that differ by one typo. */
type Meant<Name extends string, Declared extends string> =
  | Extract<Declared, Snake<Name> | `the_${Snake<Name>}`>
  | (Declared extends unknown ? (IsSlip<Name, Declared> extends true ? Declared : never) : never)

/** `my-hook` and `myHook` as WordPress writes them: `my_hook`. */
type Snake<Name extends string, Done extends string = ''> = Name extends `${infer First}${infer Rest}`
  ? Snake<Rest, `${Done}${First extends '-' ? '_' : First extends Lowercase<First> ? First : `_${Lowercase<First>}`}`>
  : Done

/** Whether a letter is missing, added or replaced, or two are swapped: compares the rest after the first difference. */
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

/** The text after the letter; `never` if it starts with another one. */
type After<Text extends string, Letter extends string> = Text extends `${Letter}${infer Rest}` ? Rest : never
