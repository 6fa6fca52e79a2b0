import { stackOf } from '../../core/errors.ts'
import { running } from '../../core/extensions/running-code.ts'
import type { Callback } from '../../core/hooks/entry.ts'

/** Bytes of a hook's name and a stack. */
const LONGEST = 4096
const LENGTH_BYTES = 4

/** What native code was called for that has not returned. In shared memory, since nothing can interrupt it to ask. */
export const nativeCall: Uint8Array = new Uint8Array(new SharedArrayBuffer(LENGTH_BYTES + LONGEST))
const written = Buffer.from(nativeCall.buffer)

/** Whose code calls. */
export interface Caller {
  /** Of `running-code.ts`. */
  readonly number: number
  /** Hook, route or job that it belongs to. */
  readonly what: string | null
}

/**
 * A native function that may block for ever, such as `execSync`, which says meanwhile whose code called it: also after an
 * `await`, where no call into an extension is in progress.
 *
 * @param callerOf - `undefined` for the product's code. No frame of it is in the stack of what the function throws.
 */
export function announceNative(native: Callback, callerOf: () => Caller | undefined): Callback {
  return new Proxy(native, {
    apply(target, self, args) {
      const caller = callerOf()
      if (caller === undefined) return Reflect.apply(target, self, args)
      const before = running[0] ?? 0
      running[0] = caller.number
      const length = written.write(`${caller.what ?? ''}\n${stackOf(new Error())}`, LENGTH_BYTES)
      written.writeUInt32LE(length)
      try {
        return Reflect.apply(target, self, args)
      } finally {
        written.writeUInt32LE(0)
        running[0] = before
      }
    },
  })
}

/** @param shared - `nativeCall` of another thread. */
export function readNativeCall(shared: Uint8Array): { readonly what: string | null; readonly stack: string } {
  const read = Buffer.from(shared.buffer)
  const text = read.toString('utf8', LENGTH_BYTES, LENGTH_BYTES + read.readUInt32LE())
  const [what = '', ...stack] = text.split('\n')
  return { what: what || null, stack: stack.join('\n') }
}
