import { stackOf } from '../../core/errors.ts'
import { running } from '../../core/extensions/running-code.ts'
import type { Callback } from '../../core/hooks/entry.ts'

/** Bytes of a hook's name and a stack. */
const LONGEST = 4096
const LENGTH_BYTES = 4

/** Description of the native call in progress. In shared memory, because the thread cannot be interrupted. */
export const nativeCall: Uint8Array = new Uint8Array(new SharedArrayBuffer(LENGTH_BYTES + LONGEST))
const written = Buffer.from(nativeCall.buffer)

/** Owner of the calling code. */
export interface Caller {
  /** Of `running-code.ts`. */
  readonly number: number
  /** Whether it is known to be a service. */
  readonly isService: boolean
  /** Hook, route or job that it belongs to. */
  readonly what: string | null
  /** The author's file and line. If absent, the next start of the site reads it from the stack. */
  readonly place?: string | null | undefined
}

/**
 * Wraps a native function that may block forever, such as `execSync`: records whose code called it while it runs, even after an `await`,
 * when no call into an extension is in progress.
 * @param callerOf - Returns `undefined` for code of the product. The wrapper adds no frame to stacks of errors.
 */
export function announceNative(native: Callback, callerOf: () => Caller | undefined): Callback {
  return new Proxy(native, {
    apply(target, self, args) {
      const caller = callerOf()
      if (caller === undefined) return Reflect.apply(target, self, args)
      const before = running[0] ?? 0
      running[0] = caller.number
      const length = written.write(`${caller.what ?? ''}\n${caller.place ?? ''}\n${stackOf(new Error())}`, LENGTH_BYTES)
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
export function readNativeCall(shared: Uint8Array): Pick<Caller, 'what' | 'place'> & { readonly stack: string } {
  const read = Buffer.from(shared.buffer)
  const text = read.toString('utf8', LENGTH_BYTES, LENGTH_BYTES + read.readUInt32LE())
  const [what = '', place = '', ...stack] = text.split('\n')
  return { what: what || null, place: place || null, stack: stack.join('\n') }
}
