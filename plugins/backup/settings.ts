import type { ExtensionHost } from 'pentad'
import { z } from 'zod'
import { categoriesSchema } from './categories.ts'
import { isGlob } from './glob.ts'
import { type Locations, unknownLocation } from './locations/index.ts'
import { locationSettings } from './locations/settings.ts'
import { keepLatestBackupsCount } from './retention/select.ts'

/** The `backup_settings` option. */
export const backupSettings = z.object({
  keepLatestBackupsCount: keepLatestBackupsCount.meta({
    title: 'Backups to retain',
    description:
      'Older backups are deleted automatically. Uploaded backups and backups kept forever do not count. Enter 0 to retain all backups.',
    group: 'Backups',
  }),
  automaticBackups: z.enum(['on', 'off']).default('off').meta({ title: 'Automatic backups', group: 'Schedule' }),
  automaticBackupsFrequency: z
    .enum(['hourly', 'daily', 'weekly', 'monthly'])
    .default('daily')
    .meta({ title: 'Backup frequency', group: 'Schedule' }),
  automaticBackupsTime: z
    .string()
    .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'It must be a time, such as 03:00.')
    .default('03:00')
    .meta({
      title: 'Start time',
      description: 'In the site’s time zone. Hourly backups use only the minutes.',
      group: 'Schedule',
    }),
  automaticBackupsExclusions: categoriesSchema
    .refine((exclusions) => exclusions.length < 5, 'Include at least one item in the backup.')
    .default([])
    .meta({ title: 'Excluded from automatic backups', group: 'Schedule' }),
  defaultLocation: z
    .string()
    .regex(/^[\w-]{1,64}$/, 'It must be the ID of a location.')
    .default('local')
    .meta({ title: 'Default storage location', group: 'Backups' }),
  excludePatterns: z
    .array(
      z
        .string()
        .trim()
        .min(1)
        .max(500)
        .refine(isGlob, 'It must be a pattern that uses only *, **, ?, [a-z], and {a,b}.'),
    )
    .max(500)
    .default([])
    .meta({
      title: 'Excluded files',
      description:
        'Patterns with a slash match paths in the site folder, such as uploads/**/*.mp4; others match file names, such as *.psd.',
      group: 'Backups',
    }),
  notifications: z.enum(['always', 'failure', 'off']).default('failure').meta({
    title: 'Email notifications',
    description:
      'When to send an email about a backup. A backup that could not be uploaded to its location counts as a failure.',
    group: 'Notifications',
  }),
  notificationEmail: z
    .union([z.literal(''), z.email()])
    .default('')
    .meta({
      title: 'Email recipient',
      description: 'Leave empty to use the administration email address.',
      group: 'Notifications',
    }),
  compression: z.enum(['gzip', 'zstd']).default('gzip').meta({
    title: 'Compression',
    description: 'Zstandard is faster and makes smaller archives; gzip archives can be extracted on any system.',
    group: 'Backups',
  }),
  ...locationSettings.shape,
})

export type BackupSettings = z.output<typeof backupSettings>

/** Rejects an unknown default location before the settings are saved. Extensions may add locations. */
export function rejectUnknownLocation(hooks: ExtensionHost['hooks'], locations: Pick<Locations, 'find'>): void {
  hooks.addAction('backup_settings_update:before', ({ defaultLocation }) => {
    if (typeof defaultLocation !== 'string' || locations.find(defaultLocation)) return
    throw unknownLocation('defaultLocation')
  })
}
