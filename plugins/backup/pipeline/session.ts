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

/** What one process keeps of a job between its ticks. */
export interface Session {
  readonly folder: string
  readonly work: BackgroundWork
  readonly snapshots: Snapshots
  /** Bytes that have arrived at the location. */
  sent: number
  /** Bytes of content that were read back from the archive. */
  checked: number
  /**
   * To be called at the start of each tick: what another process did meanwhile is not in what this one remembers.
   * `false` if the threads of what is forgotten have not ended before the signal fires: on a machine with other things to
   * do that takes minutes, for which no tick may hold the job.
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

/** What sessions need of the service's parts. */
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
    const forget = async () => {
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
        // As long as this process is at work, no other one is, whatever ticks it takes.
        if (work.isRunning()) return true
        const path = join(folder, 'driver.json')
        if (driverSchema.safeParse(await readJson(path)).data?.driver === driver) return true
        if (!(await hasEnded(forget(), until))) return false
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
        await forget()
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
