/** The hooks that the tests of this folder dispatch. */
declare module '../../core/hooks/names.ts' {
  interface Actions {
    tick: unknown[]
    outer: unknown[]
    inner: unknown[]
    saved: unknown[]
    broken: unknown[]
    slow: unknown[]
    lonely: unknown[]
    tock_of_shop: unknown[]
    [name: `once_${string}`]: []
  }
  interface Filters {
    greeting: [text: unknown, ...rest: unknown[]]
    greeting_again: [text: unknown]
    one: [value: unknown]
    two: [value: unknown]
    thrown: [value: unknown]
    rejected: [value: unknown]
  }
}

export {}
