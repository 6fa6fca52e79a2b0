/** Marker type that keeps problem descriptions out of completions. */
export interface Problem {
  readonly [wrongName]: true
}
declare const wrongName: unique symbol

/** Whether a name is known only at run time: `string`, or a pattern such as `edit_${string}`. */
export type IsComputed<Name extends string> = Record<never, never> extends Record<Name, true> ? true : false

/**
 * The compile error for an undeclared name, with a suggestion if a declared name differs by one typo. The compiler also evaluates
 * it for every name offered by completion, which must be cheap.
 */
export type Unknown<Kind extends string, Name extends string, Declared extends string> = Name extends Declared
  ? never
  : IsComputed<Name> extends true
    ? never
    : Message<Kind, Name, Suggestions<Name, Declared>>

type Message<Kind extends string, Name extends string, Found extends string> = [Found] extends [never]
  ? `Unknown ${Kind} ${Name}. Check its spelling, or declare it with declare module 'pentad'.`
  : `Unknown ${Kind} ${Name}. Did you mean ${Found}? If not, declare it with declare module 'pentad'.`

/** Declared names that differ by one typo. */
type Suggestions<Name extends string, Declared extends string> =
  | Extract<Declared, SnakeCase<Name> | `the_${SnakeCase<Name>}`>
  | (Declared extends unknown ? (IsTypo<Name, Declared> extends true ? Declared : never) : never)

/** `my-hook` and `myHook` as WordPress writes them: `my_hook`. */
type SnakeCase<Name extends string, Done extends string = ''> = Name extends `${infer First}${infer Rest}`
  ? SnakeCase<
      Rest,
      `${Done}${First extends '-' ? '_' : First extends Lowercase<First> ? First : `_${Lowercase<First>}`}`
    >
  : Done

/** Whether a letter is missing, added or replaced, or two are swapped: compares the rest after the first difference. */
type IsTypo<Name extends string, Declared extends string> = Name extends `${infer Letter}${infer Rest}`
  ? Declared extends `${Letter}${infer Others}`
    ? IsTypo<Rest, Others>
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

/** The text without its first letter; `never` if that is another letter. */
type After<Text extends string, Letter extends string> = Text extends `${Letter}${infer Rest}` ? Rest : never
