import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { DrawTask } from './draw-set.ts'
import { type IconFault, IconRefused, takesTooLong } from './icon-refused.ts'

/**
 * Milliseconds of processor time that a set may take; one takes about five seconds. A drawing can ask for more work than
 * ends today. How long it takes says little: it gives way to everything else on the machine.
 */
const PROCESSOR_TIME = 60_000
/** Milliseconds after which the process is ended in any case. */
const LONGEST = 600_000

/** What the process sends back. */
export type DrawAnswer =
  | { readonly version: string }
  | { readonly refused: { readonly reason: IconFault; readonly message: string } }
  | { readonly failed: string }

/** What the process is told. */
export interface DrawOrder {
  readonly task: DrawTask
  /** Milliseconds */
  readonly processorTime: number
}

/**
 * Draws a set in a process of its own: what is hostile in an image takes no thread of the site, can be ended, and
 * brings down nothing else.
 * @param processorTime milliseconds that the process may compute
 * @returns the version of the set
 * @throws IconRefused, and Error on abort or where there is no such process; nothing writes to the folder then
 */
export async function drawInProcess(
  task: DrawTask,
  signal: AbortSignal,
  processorTime = PROCESSOR_TIME,
): Promise<string> {
  signal.throwIfAborted()
  const child = fork(join(import.meta.dirname, 'draw-process.ts'), {
    serialization: 'advanced',
    // Nothing of what this process was started with, such as a debugger's port.
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const exited = once(child, 'exit')
  const { promise, resolve, reject } = Promise.withResolvers<DrawAnswer>()
  child.once('message', resolve)
  child.once('error', reject)
  exited.then(([, killed]) => reject(endedEarly(killed)), reject)
  const overdue = setTimeout(() => {
    reject(takesTooLong())
  }, LONGEST)
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    const order: DrawOrder = { task, processorTime }
    child.send(order)
    const answer = await promise
    if ('version' in answer) return answer.version
    if ('refused' in answer) throw new IconRefused(answer.refused.reason, answer.refused.message)
    throw new Error(`The icons could not be drawn: ${answer.failed}`)
  } finally {
    clearTimeout(overdue)
    signal.removeEventListener('abort', abort)
    child.kill('SIGKILL')
    await exited.catch(() => {})
  }
}

/** The system kills it where memory runs out. */
function endedEarly(killed: unknown): Error {
  return killed === 'SIGKILL'
    ? new IconRefused('too_complex', 'The app icon takes too much memory to draw. Make it simpler.')
    : new Error('The process that draws icons ended early.')
}
