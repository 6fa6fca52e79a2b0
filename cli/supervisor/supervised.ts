import { type ServerMessage, SUPERVISED } from './messages.ts'

/** The server's side of the channel to its supervisor. */
export interface Supervisor {
  /** Number of this worker, from 1; its successor after a crash has the same. */
  readonly worker: number
  /** Number of workers. */
  readonly workers: number
  /** Resolves when the supervisor has the message. */
  send(message: ServerMessage): Promise<void>
}

/**
 * The supervisor of this process; `undefined` if none started it. Once asked, the process ends together with its
 * supervisor: the port is free when the supervisor was killed.
 */
export function connectSupervisor(): Supervisor | undefined {
  const place = process.env[SUPERVISED]
  // A command that an extension runs is not supervised.
  delete process.env[SUPERVISED]
  if (place === undefined) return undefined
  const [worker = 1, workers = 1] = place.split('/').map(Number)
  const end = () => process.kill(process.pid, 'SIGKILL')
  process.on('disconnect', end)
  if (!process.connected) end()
  return {
    worker,
    workers,
    send: (message) =>
      new Promise((resolve) => {
        if (process.send) process.send(message, undefined, undefined, () => resolve())
        else resolve()
      }),
  }
}
