import type { JoiningHost } from '../../core/types.ts'
import type { UploadSessions } from './sessions.ts'

const HOUR = 3_600_000

/** Removes this node's copies of expired uploads, at the start and every hour: a schedule runs on one node only. */
export function sweepOnEachNode(
  { log, onListen, onClosing }: Pick<JoiningHost, 'log' | 'onListen' | 'onClosing'>,
  { sweep }: Pick<UploadSessions, 'sweep'>,
): void {
  const run = () => void sweep().catch((error) => log.warn({ err: error }, 'could not remove expired uploads'))
  onListen(() => {
    run()
    const timer = setInterval(run, HOUR)
    onClosing(() => clearInterval(timer))
  })
}
