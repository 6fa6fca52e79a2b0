import { appendFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import type { JobDefinition } from '../../cms/jobs/types.ts'

const data = z.object({ at: z.int(), to: z.int() })

/** A job that counts; each tick writes `begin <n> <pid>` and `end <n> <pid>` to a file. At `hangAt` it hangs. */
export function countJob(file: string, hangAt = 0): JobDefinition<typeof data> {
  return {
    type: 'count',
    data,
    async tick({ data: { at, to } }) {
      const next = at + 1
      appendFileSync(file, `begin ${next} ${process.pid}\n`)
      await wait(next === hangAt ? 60_000 : 10)
      appendFileSync(file, `end ${next} ${process.pid}\n`)
      if (next === to) return { done: true }
      return { done: false, data: { at: next, to }, percent: (next / to) * 100 }
    },
  }
}
