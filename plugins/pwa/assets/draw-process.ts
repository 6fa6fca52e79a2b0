/** A process of its own that draws one set: it is told what by a message, and answers with one. */
import { writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import type { DrawAnswer, DrawOrder } from './draw-in-process.ts'
import { type DrawTask, drawSet } from './draw-set.ts'
import { IconRefused, takesTooLong } from './icon-refused.ts'

// Visitors come first where there are few processors, and little memory: some hundred bytes can unpack to gigabytes.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
try {
  writeFileSync('/proc/self/oom_score_adj', '1000')
} catch {
  // Linux alone has it, and not everywhere.
}

// Nobody else would end it: of an endless drawing the site's process may be killed before the time is over. At once,
// since an orderly end waits for the threads that draw.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'))

/** Milliseconds between looks at how much was computed. */
const LOOK = 500

process.once('message', async ({ task, processorTime }: DrawOrder) => {
  const looking = setInterval(() => {
    const { user, system } = process.cpuUsage()
    if (user + system > processorTime * 1000) send(refusal(takesTooLong()))
  }, LOOK)
  send(await answer(task))
  clearInterval(looking)
})

/** The first answer counts: whoever takes it ends the process. */
function send(message: DrawAnswer): void {
  process.send?.(message)
}

async function answer(task: DrawTask): Promise<DrawAnswer> {
  try {
    return { version: await drawSet(task) }
  } catch (error) {
    if (error instanceof IconRefused) return refusal(error)
    return { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

function refusal({ reason, message }: IconRefused): DrawAnswer {
  return { refused: { reason, message } }
}
