import type { ExtensionHost } from 'pentad'
import { z } from 'zod'
import { categoriesSchema } from './categories.ts'
import { isGlob } from './glob.ts'
import { type Locations, unknownLocation } from './locations/index.ts'
import { locationSettings } from './locations/settings.ts'
import { keepLatestBackupsCount } from './retention.ts'

/** The record `backup_settings` (contract 3). */
export const backupSettings = z.object({
  keepLatestBackupsCount: keepLatestBackupsCount.meta({
    title: 'Backups to keep',
    description: 'The oldest go first; uploaded ones and those to keep for ever stay. 0 keeps all.',
    group: 'Backups',
  }),
  automaticBackups: z.enum(['on', 'off']).default('off').meta({ title: 'Automatic backups', group: 'Schedule' }),
  automaticBackupsFrequency: z
    .enum(['hourly', 'daily', 'weekly', 'monthly'])
    .default('daily')
    .meta({ title: 'How often', group: 'Schedule' }),
  automaticBackupsTime: z
    .string()
    .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 03:00')
    .default('03:00')
    .meta({
      title: 'Time',
      description: 'In the time zone of the site. Hourly backups use its minutes only.',
      group: 'Schedule',
    }),
  automaticBackupsExclusions: categoriesSchema
    .refine((exclusions) => exclusions.length < 5, 'must leave something to back up')
    .default([])
    .meta({ title: 'Left out of automatic backups', group: 'Schedule' }),
  defaultLocation: z
    .string()
    .regex(/^[\w-]{1,64}$/, 'must be the id of a location')
    .default('local')
    .meta({ title: 'Where backups are kept', group: 'Backups' }),
  excludePatterns: z
    .array(z.string().trim().min(1).max(500).refine(isGlob, 'must be a pattern of *, **, ?, [a-z] and {a,b}'))
    .max(500)
    .default([])
    .meta({
      title: 'Files to leave out',
      description: 'Patterns of paths in the site folder: uploads/**/*.mp4; without a slash, of names: *.psd.',
      group: 'Backups',
    }),
  notifications: z.enum(['always', 'failure', 'off']).default('failure').meta({
    title: 'Mail',
    description:
      'When to dispatchSafely about a backup that has ended. One that could not get to its location counts as a failure.',
    group: 'Mail',
  }),
  notificationEmail: z
    .union([z.literal(''), z.email()])
    .default('')
    .meta({ title: 'Address', description: 'Empty: the address of the administrator.', group: 'Mail' }),
  compression: z
    .enum(['gzip', 'zstd'])
    .default('gzip')
    .meta({ title: 'Compression', description: 'zstd is faster; gzip unpacks everywhere.', group: 'Backups' }),
  ...locationSettings.shape,
})

export type BackupSettings = z.output<typeof backupSettings>

/** Refuses a location that there is not, before the settings are written; an extension may have brought more than ours. */
export function rejectUnknownLocation(hooks: ExtensionHost['hooks'], locations: Pick<Locations, 'find'>): void {
  hooks.addAction('backup_settings_update:before', ({ defaultLocation }) => {
    if (typeof defaultLocation !== 'string' || locations.find(defaultLocation)) return
    throw unknownLocation('defaultLocation')
  })
}
