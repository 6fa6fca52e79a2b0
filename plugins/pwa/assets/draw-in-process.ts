import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { DrawTask } from './draw-set.ts'
import { IconError, type IconErrorReason, renderTimeout } from './icon-error.ts'

/**
 * CPU time limit of a set in milliseconds; it usually takes about five seconds. Wall-clock time says little because the
 * process runs at low priority.
 */
const PROCESSOR_TIME = 60_000
/** Wall-clock limit in milliseconds. */
const LONGEST = 600_000

/** Message from the process. */
export type DrawResult =
  | { readonly version: string }
  | { readonly refused: { readonly reason: IconErrorReason; readonly message: string } }
  | { readonly failed: string }

/** Message to the process. */
export interface DrawOrder {
  readonly task: DrawTask
  /** Milliseconds */
  readonly processorTime: number
}

/**
 * Draws a set in a child process, so that a malicious image cannot block or crash the site.
 * @param processorTime CPU time limit in milliseconds
 * @returns the version of the set
 * @throws IconError, or Error on abort or if the process cannot start. The folder is no longer written to then
 */
export async function drawInProcess(
  task: DrawTask,
  signal: AbortSignal,
  processorTime = PROCESSOR_TIME,
): Promise<string> {
  signal.throwIfAborted()
  const child = fork(join(import.meta.dirname, 'draw-process.ts'), {
    serialization: 'advanced',
    // Do not inherit options of this process, such as a debugger port.
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const exited = once(child, 'exit')
  const { promise, resolve, reject } = Promise.withResolvers<DrawResult>()
  child.once('message', resolve)
  child.once('error', reject)
  exited.then(([, killed]) => reject(endedEarly(killed)), reject)
  const overdue = setTimeout(() => {
    reject(renderTimeout())
  }, LONGEST)
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    const order: DrawOrder = { task, processorTime }
    child.send(order)
    const handle = await promise
    if ('version' in handle) return handle.version
    if ('refused' in handle) throw new IconError(handle.refused.reason, handle.refused.message)
    throw new Error(`The icons could not be generated: ${handle.failed}`)
  } finally {
    clearTimeout(overdue)
    signal.removeEventListener('abort', abort)
    child.kill('SIGKILL')
    await exited.catch(() => {})
  }
}

/** `SIGKILL` means that the system ran out of memory. */
function endedEarly(killed: unknown): Error {
  return killed === 'SIGKILL'
    ? new IconError('too_complex', 'Rendering the app icon takes too much memory. Use a simpler image.')
    : new Error('The icon rendering process ended unexpectedly.')
}
