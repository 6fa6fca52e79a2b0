import { type Current, createFrame } from './current.ts'
import { call } from './entry.ts'
import type { Ownership } from './owned.ts'

/**
 * Dispatches an action to the callbacks of one view alone, each awaited; for a view that came after the action had fired.
 * As in any dispatch, a callback added meanwhile at a later priority takes part. What a callback throws propagates.
 */
export async function catchUp(ownership: Ownership, { chain }: Current, name: string, args: unknown[]): Promise<void> {
  const frame = createFrame(name, chain.getStore())
  async function run(): Promise<void> {
    let bucket = ownership.own(name).buckets[0]
    while (bucket !== undefined) {
      for (const { callback, acceptedArgs } of bucket.entries) await call(callback, args.slice(0, acceptedArgs))
      bucket = ownership.own(name).after(bucket)
    }
  }
  try {
    await chain.run(frame, run)
  } finally {
    frame.ended = true
  }
}
