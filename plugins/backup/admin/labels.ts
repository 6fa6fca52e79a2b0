import { __, sprintf } from 'pentad/admin/i18n.ts'
import { formatBytes, formatPercent } from 'pentad/admin/parts/format.ts'
import type { BackupRecord, Category, Progress } from './types.ts'

/** What a category holds, and what becomes of it in a restore. */
export const CATEGORY_TEXTS: Readonly<Record<Category, { label: string; holds: string; restored: string }>> = {
  database: {
    label: __('Database', 'pentad'),
    holds: __('Posts, pages, comments, accounts, and what extensions keep there', 'pentad'),
    restored: __(
      'All posts, pages, comments, accounts and passwords. What was written since is lost, and everybody is logged out.',
      'pentad',
    ),
  },
  uploads: {
    label: __('Uploads', 'pentad'),
    holds: __('Images and other files of the media library', 'pentad'),
    restored: __('All files of the media library. What was uploaded since is lost.', 'pentad'),
  },
  themes: {
    label: __('Themes', 'pentad'),
    holds: __('Themes of your own', 'pentad'),
    restored: __('All themes of your own, with what was changed in them since.', 'pentad'),
  },
  extensions: {
    label: __('Extensions', 'pentad'),
    holds: __('Extensions of your own', 'pentad'),
    restored: __('All extensions of your own. They run as they were then.', 'pentad'),
  },
  others: {
    label: __('Everything else', 'pentad'),
    holds: __('Settings of the site and the services, and other files of the site folder', 'pentad'),
    restored: __('All settings of the site, the services and the extensions.', 'pentad'),
  },
}

export const KINDS: Readonly<Record<BackupRecord['kind'], string>> = {
  manual: __('By hand', 'pentad'),
  automatic: __('Automatic', 'pentad'),
  uploaded: __('Uploaded', 'pentad'),
}

const BACKUP_STAGES: Readonly<Record<string, string>> = {
  prepare: __('Looking at what there is', 'pentad'),
  database: __('Copying the database', 'pentad'),
  files: __('Packing files', 'pentad'),
  finish: __('Putting the archive together and checking it', 'pentad'),
  upload: __('Sending the archive to its location', 'pentad'),
  cleanup: __('Tidying up', 'pentad'),
}

const RESTORE_STAGES: Readonly<Record<string, string>> = {
  verify: __('Checking the archive', 'pentad'),
  extract: __('Unpacking files beside the site', 'pentad'),
  database: __('Filling a new database', 'pentad'),
  files: __('Getting the files ready', 'pentad'),
  finish: __('Putting the restored site in place', 'pentad'),
}

export function stageOf({ kind, stage }: Pick<Progress, 'kind' | 'stage'>): string {
  return (kind === 'backup' ? BACKUP_STAGES : RESTORE_STAGES)[stage] ?? stage
}

/** `Packing files: 33%` */
export function progressLabel(progress: Pick<Progress, 'kind' | 'stage' | 'percent'>): string {
  return sprintf(__('%1$s: %2$s', 'pentad'), stageOf(progress), formatPercent(Math.floor(progress.percent) / 100))
}

/** `12 MB of 40 MB`; nothing before that is known. */
export function amountOf({ processed, total }: Pick<Progress, 'processed' | 'total'>): string {
  if (total.bytes === 0) return ''
  return sprintf(__('%1$s of %2$s', 'pentad'), formatBytes(processed.bytes), formatBytes(total.bytes))
}

/** Whether a category is code that runs on the server. */
export function isCode(category: Category): boolean {
  return category === 'extensions' || category === 'themes'
}
