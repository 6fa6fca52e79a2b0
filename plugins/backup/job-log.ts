import { appendFile, mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { undefinedIfMissing } from './missing-files.ts'

export const entrySchema = z.object({
  time: z.string(),
  level: z.enum(['info', 'warning', 'error']),
  stage: z.string(),
  message: z.string(),
})

/** One line of the log of a job. Nothing secret, no path outside of the site. */
export type LogEntry = z.output<typeof entrySchema>

/** The logs of jobs, each a file of lines in `backups/logs/`; that of a backup lasts as long as the backup. */
export interface JobLogs {
  add(id: string, entries: readonly Omit<LogEntry, 'time'>[]): Promise<void>
  /** The oldest first; `undefined` if there is none. */
  read(id: string): Promise<LogEntry[] | undefined>
  remove(id: string): Promise<void>
}

/** @param folder - `<site>/backups` */
export function createJobLogs(folder: string): JobLogs {
  const place = join(folder, 'logs')
  const pathOf = (id: string) => join(place, `${id}.ndjson`)

  return {
    async add(id, entries) {
      if (entries.length === 0) return
      await mkdir(place, { recursive: true, mode: 0o700 })
      const time = new Date().toISOString()
      const lines = entries.map((entry) => `${JSON.stringify({ time, ...entry })}\n`)
      await appendFile(pathOf(id), lines.join(''), { mode: 0o600 })
    },
    async read(id) {
      const text = await undefinedIfMissing(readFile(pathOf(id), 'utf8'))
      return text?.split('\n').flatMap(parseEntry)
    },
    remove: (id) => rm(pathOf(id), { force: true }),
  }
}

/** A line that a crash has torn is left out. */
function parseEntry(line: string): LogEntry[] {
  try {
    return [entrySchema.parse(JSON.parse(line))]
  } catch {
    return []
  }
}
