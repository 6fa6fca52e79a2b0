import { appendFile, mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { undefinedIfMissing } from './missing-files.ts'
import type { SharedFiles } from './shared-files.ts'

export const entrySchema = z.object({
  time: z.string(),
  level: z.enum(['info', 'warning', 'error']),
  stage: z.string(),
  message: z.string(),
})

/** An entry in the log of a job. Contains no secrets and no paths outside the site. */
export type LogEntry = z.output<typeof entrySchema>

/** Logs of jobs, one file per job in `backups/logs/`, on this machine or in the bucket of the site. The log of a backup is deleted with the backup. */
export interface JobLogs {
  add(id: string, entries: readonly Omit<LogEntry, 'time'>[]): Promise<void>
  /** Entries, oldest first; `undefined` if there is no log. */
  read(id: string): Promise<LogEntry[] | undefined>
  remove(id: string): Promise<void>
}

/**
 * @param folder - `<site>/backups`
 * @param shared - The folder in the bucket of the site.
 */
export function createJobLogs(folder: string, shared?: SharedFiles): JobLogs {
  const place = join(folder, 'logs')
  const fileOf = (id: string) => `logs/${id}.ndjson`
  const pathOf = (id: string) => join(folder, fileOf(id))

  return {
    async add(id, entries) {
      if (entries.length === 0) return
      await mkdir(place, { recursive: true, mode: 0o700 })
      const time = new Date().toISOString()
      const lines = entries.map((entry) => `${JSON.stringify({ time, ...entry })}\n`)
      await shared?.pull(fileOf(id))
      await appendFile(pathOf(id), lines.join(''), { mode: 0o600 })
      await shared?.push(pathOf(id), fileOf(id))
    },
    async read(id) {
      if (shared && !(await shared.pull(fileOf(id)))) return undefined
      const text = await undefinedIfMissing(readFile(pathOf(id), 'utf8'))
      return text?.split('\n').flatMap(parseEntry)
    },
    async remove(id) {
      await shared?.remove(fileOf(id))
      await rm(pathOf(id), { force: true })
    },
  }
}

/** A line truncated by a crash is skipped. */
function parseEntry(line: string): LogEntry[] {
  try {
    return [entrySchema.parse(JSON.parse(line))]
  } catch {
    return []
  }
}
