import type { AnswerOf } from 'pentad'
import { z } from 'zod'
import { type BackupSettings, backupSettings } from './settings.ts'
import type { BackupRecord } from './types.ts'

const DAY = 86_400_000
/** Days after which the newest backup is old, by how often there should be one. */
const OLD_AFTER = { hourly: 2, daily: 3, weekly: 15, monthly: 62 } as const
/** Days, where nothing is made automatically. */
const OLD_BY_HAND = 30

export const actionItemShape = z.object({
  ...{ id: z.string(), title: z.string(), description: z.string(), impact: z.enum(['high', 'medium', 'low']) },
  setting: backupSettings.keyof().optional().describe('The setting that does it.'),
})

/** One thing that would make the backups of the site safer. */
export type ActionItem = AnswerOf<typeof actionItemShape>

export const failedBackupShape = z.object({
  ...{ jobId: z.string(), date: z.string(), code: z.string(), message: z.string() },
})

/** A backup that failed, and after which none was made. */
export type FailedBackup = AnswerOf<typeof failedBackupShape>

/** What the items are found in. */
export interface Situation {
  readonly settings: Pick<
    BackupSettings,
    'automaticBackups' | 'automaticBackupsFrequency' | 'automaticBackupsExclusions' | 'defaultLocation'
  >
  /** The newest first. */
  readonly records: readonly BackupRecord[]
  readonly lastFailure: FailedBackup | null
  readonly now: number
}

/** What to do for the backups of this site as they are now, the most important first; nothing that is done already. */
export function actionItems(situation: Situation): ActionItem[] {
  const { records, lastFailure } = situation
  const items: ActionItem[] = []
  if (records.length === 0) {
    const description = 'If this site were lost now, all of it would be lost. A backup takes a minute.'
    items.push({ id: 'first-backup', title: 'Make the first backup', description, impact: 'high' })
  }
  if (lastFailure) {
    items.push({
      id: 'last-failed',
      title: 'See why the last backup failed',
      description: lastFailure.message,
      impact: 'high',
    })
  }
  return [...items, ...scheduleItems(situation), ...ageItems(situation), ...placeItems(situation)]
}

function scheduleItems({ settings }: Situation): ActionItem[] {
  if (settings.automaticBackups === 'off') {
    const description = 'Backups are made only when somebody thinks of it.'
    const title = 'Let backups be made automatically'
    return [{ id: 'automatic', title, description, impact: 'high', setting: 'automaticBackups' }]
  }
  if (!settings.automaticBackupsExclusions.includes('database')) return []
  const description = 'Automatic backups leave the database out, which holds all texts and accounts.'
  const title = 'Back up the database too'
  return [{ id: 'database', title, description, impact: 'high', setting: 'automaticBackupsExclusions' }]
}

function ageItems({ settings, records, now }: Situation): ActionItem[] {
  const [newest] = records
  if (!newest) return []
  const days = Math.floor((now - Date.parse(newest.date)) / DAY)
  const limit = settings.automaticBackups === 'on' ? OLD_AFTER[settings.automaticBackupsFrequency] : OLD_BY_HAND
  if (days < limit) return []
  const description = `The newest backup is ${days} days old.`
  return [{ id: 'old', title: 'Make a new backup', description, impact: 'medium' }]
}

function placeItems({ settings, records }: Situation): ActionItem[] {
  if (settings.defaultLocation !== 'local' || records.some(({ location }) => location !== 'local')) return []
  const description = 'All backups are on the machine of the site: if it is lost, they are lost with it.'
  const title = 'Keep backups at another place too'
  return [{ id: 'elsewhere', title, description, impact: 'medium', setting: 'defaultLocation' }]
}
