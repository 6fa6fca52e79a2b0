import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { type ArchiveWriter, createArchiveWriter } from '../archive/writer.ts'
import { createSnapshots } from '../database/snapshot.ts'
import type { Snapshot, Snapshots } from '../database/types.ts'
import { readJson, writeJson } from '../json-file.ts'
import type { BackupParts } from '../parts.ts'
import { type BackgroundWork, createBackgroundWork, hasEnded } from './background.ts'
import { type JobData, workFolderOf } from './job.ts'

const driverSchema = z.object({ driver: z.string() })

/** What a process holds in memory for a job between ticks. */
export interface Session {
  readonly folder: string
  readonly work: BackgroundWork
  readonly snapshots: Snapshots
  /** Bytes uploaded so far. */
  sent: number
  /** Content bytes verified so far. */
  checked: number
  /**
   * Must be called at the start of each tick: discards in-memory state if another process worked on the job meanwhile.
   * `false` if the old threads did not exit before the signal fired, which can take minutes on a busy server.
   */
  begin(until: AbortSignal): Promise<boolean>
  writer(): ArchiveWriter
  snapshot(): Promise<Snapshot>
  close(reason: Error): Promise<void>
}

export interface Sessions {
  of(jobId: string, data: Pick<JobData, 'compression'>): Session
  end(jobId: string, reason: Error): Promise<void>
  endAll(reason: Error): Promise<void>
}

/** The parts that sessions need. */
interface SessionParts {
  readonly host: Pick<BackupParts['host'], 'database' | 'jobs'> & { readonly site: { readonly dir: string } }
  readonly states: Pick<BackupParts['states'], 'outcome'>
}

export function createSessions({ host, states }: SessionParts): Sessions {
  const sessions = new Map<string, Session>()
  const driver = randomBytes(16).toString('hex')

  function open(jobId: string, compression: JobData['compression']): Session {
    const folder = workFolderOf(host.site.dir, jobId)
    const isOver = async () => (await states.outcome(jobId))?.state === 'cancelled'
    const work = createBackgroundWork(host.jobs, jobId, isOver)
    const snapshots = createSnapshots({ database: host.database, siteDir: host.site.dir, folder, jobId })
    let writer: ArchiveWriter | undefined
    let snapshot: Snapshot | undefined
    let closing: Promise<void> | undefined
    const discard = async () => {
      closing = Promise.all([closing, writer?.close()]).then(() => {})
      snapshot?.close()
      writer = snapshot = undefined
      await closing
    }
    return {
      folder,
      work,
      snapshots,
      sent: 0,
      checked: 0,
      async begin(until) {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        // While this process has running work, no other process works on the job.
        if (work.isRunning()) return true
        const path = join(folder, 'driver.json')
        if (driverSchema.safeParse(await readJson(path)).data?.driver === driver) return true
        if (!(await hasEnded(discard(), until))) return false
        await writeJson(path, { driver })
        return true
      },
      writer() {
        writer ??= createArchiveWriter({ folder, compression })
        return writer
      },
      async snapshot() {
        snapshot ??= await snapshots.open()
        return snapshot
      },
      async close(reason) {
        await work.stop(reason)
        await discard()
      },
    }
  }

  async function end(jobId: string, reason: Error): Promise<void> {
    const session = sessions.get(jobId)
    sessions.delete(jobId)
    await session?.close(reason)
  }

  return {
    of(jobId, { compression }) {
      const known = sessions.get(jobId)
      if (known) return known
      const session = open(jobId, compression)
      sessions.set(jobId, session)
      return session
    },
    end,
    async endAll(reason) {
      await Promise.allSettled([...sessions.keys()].map((jobId) => end(jobId, reason)))
    },
  }
}
