import type { Fragment } from './fragment.ts'

/** Memoizes what is derived from a fragment alone, for as long as the fragment exists. */
export function perFragment<Result>(derive: (fragment: Fragment) => Result): (fragment: Fragment) => Result {
  const known = new WeakMap<Fragment, { readonly result: Result }>()
  return (fragment) => {
    const found = known.get(fragment) ?? { result: derive(fragment) }
    known.set(fragment, found)
    return found.result
  }
}
