/** Child process that draws one set. Receives a task and responds with one message. */
import { writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import type { DrawOrder, DrawResult } from './draw-in-process.ts'
import { type DrawTask, drawSet } from './draw-set.ts'
import { IconError, renderTimeout } from './icon-error.ts'

// Low priority, and the first to be killed when memory runs out: a tiny file can decode to gigabytes.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
try {
  writeFileSync('/proc/self/oom_score_adj', '1000')
} catch {
  // Not available on every system.
}

// Ends with the parent process. Immediately, since an orderly exit would wait for the drawing threads.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'))

/** Milliseconds between checks of the CPU time. */
const LOOK = 500

process.once('message', async ({ task, processorTime }: DrawOrder) => {
  const looking = setInterval(() => {
    const { user, system } = process.cpuUsage()
    if (user + system > processorTime * 1000) send(refusal(renderTimeout()))
  }, LOOK)
  send(await handle(task))
  clearInterval(looking)
})

/** Only the first message counts: the parent then ends the process. */
function send(message: DrawResult): void {
  process.send?.(message)
}

async function handle(task: DrawTask): Promise<DrawResult> {
  try {
    return { version: await drawSet(task) }
  } catch (error) {
    if (error instanceof IconError) return refusal(error)
    return { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

function refusal({ reason, message }: IconError): DrawResult {
  return { refused: { reason, message } }
}
