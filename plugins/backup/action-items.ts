import type { PageTexts, ResponseOf } from 'pentad'
import { z } from 'zod'
import { type BackupSettings, backupSettings } from './settings.ts'
import type { BackupRecord } from './types.ts'

const DAY = 86_400_000
/** Age in days after which the newest backup counts as outdated, by schedule. */
const OLD_AFTER = { hourly: 2, daily: 3, weekly: 15, monthly: 62 } as const
/** The same without a schedule, in days. */
const OLD_BY_HAND = 30

export const actionItemShape = z.object({
  ...{ id: z.string(), title: z.string(), description: z.string(), impact: z.enum(['high', 'medium', 'low']) },
  setting: backupSettings.keyof().optional().describe('Key of the setting to change.'),
})

/** A recommendation that improves the site's backups. */
export type ActionItem = ResponseOf<typeof actionItemShape>

export const failedBackupShape = z.object({
  ...{ jobId: z.string(), date: z.string(), code: z.string(), message: z.string() },
})

/** The most recent backup, if it failed. */
export type FailedBackup = ResponseOf<typeof failedBackupShape>

/** Input for the recommendations. */
export interface Situation {
  /** In the language of the reader. */
  readonly texts: Pick<PageTexts, '__' | '_n'>
  readonly settings: Pick<
    BackupSettings,
    'automaticBackups' | 'automaticBackupsFrequency' | 'automaticBackupsExclusions' | 'defaultLocation'
  >
  /** Newest first. */
  readonly records: readonly BackupRecord[]
  /** Whether local archives are in the bucket of the site. */
  readonly usesBucket: boolean
  readonly lastFailure: FailedBackup | null
  readonly now: number
}

/** Recommendations for the current state of the backups, most important first. */
export function actionItems(situation: Situation): ActionItem[] {
  const { records, lastFailure } = situation
  const { __ } = situation.texts
  const items: ActionItem[] = []
  if (records.length === 0) {
    const description = __('This site has no backup yet. If the server fails, all content will be lost.')
    items.push({ id: 'first-backup', title: __('Create your first backup'), description, impact: 'high' })
  }
  if (lastFailure) {
    items.push({
      id: 'last-failed',
      title: __('Fix the failed backup'),
      description: lastFailure.message,
      impact: 'high',
    })
  }
  return [...items, ...scheduleItems(situation), ...ageItems(situation), ...placeItems(situation)]
}

function scheduleItems({ settings, texts: { __ } }: Situation): ActionItem[] {
  if (settings.automaticBackups === 'off') {
    const description = __('Backups are only created manually.')
    const title = __('Schedule automatic backups')
    return [{ id: 'automatic', title, description, impact: 'high', setting: 'automaticBackups' }]
  }
  if (!settings.automaticBackupsExclusions.includes('database')) return []
  const description = __('Automatic backups exclude the database, which holds all content and user accounts.')
  const title = __('Include the database in automatic backups')
  return [{ id: 'database', title, description, impact: 'high', setting: 'automaticBackupsExclusions' }]
}

function ageItems({ texts, settings, records, now }: Situation): ActionItem[] {
  const [newest] = records
  if (!newest) return []
  const days = Math.floor((now - Date.parse(newest.date)) / DAY)
  const limit = settings.automaticBackups === 'on' ? OLD_AFTER[settings.automaticBackupsFrequency] : OLD_BY_HAND
  if (days < limit) return []
  const description = texts._n('The newest backup is %s day old.', 'The newest backup is %s days old.', days)
  return [{ id: 'old', title: texts.__('Create a new backup'), description, impact: 'medium' }]
}

function placeItems({ texts: { __ }, settings, records, usesBucket }: Situation): ActionItem[] {
  if (usesBucket) return []
  if (settings.defaultLocation !== 'local' || records.some(({ location }) => location !== 'local')) return []
  const description = __('All backups are stored on the same server as the site. If the server fails, you lose both.')
  const title = __('Store backups off-site')
  return [{ id: 'elsewhere', title, description, impact: 'medium', setting: 'defaultLocation' }]
}
