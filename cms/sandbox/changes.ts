import { AsyncLocalStorage } from 'node:async_hooks'

/** Set during calls that may change nothing, such as those of abilities that say so. */
const withoutChanges = new AsyncLocalStorage<true>()

/** Runs a call of the guest, which may request no changes. */
export const callWithoutChanges = <Result>(call: () => Result): Result => withoutChanges.run(true, call)

/** @throws Error during a call that may change nothing */
export function assertMayChange(what: string): void {
  if (withoutChanges.getStore())
    throw new Error(`${what} is not available in an ability: abilities of sandboxed extensions are read-only.`)
}
