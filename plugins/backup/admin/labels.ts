import { __, sprintf } from 'pentad/admin/i18n.ts'
import { formatBytes, formatPercent } from 'pentad/admin/parts/format.ts'
import type { BackupRecord, Category, Progress } from './types.ts'

/** What a category contains, and what a restore does to it. */
export const CATEGORY_TEXTS: Readonly<Record<Category, { label: string; holds: string; restored: string }>> = {
  database: {
    label: __('Database', 'pentad'),
    holds: __('Posts, pages, comments, users, and extension data', 'pentad'),
    restored: __(
      'All posts, pages, comments, users, and passwords. Content created since the backup will be lost, and all users will be logged out.',
      'pentad',
    ),
  },
  uploads: {
    label: __('Uploads', 'pentad'),
    holds: __('Images and other files in the media library', 'pentad'),
    restored: __('All files in the media library. Files uploaded since the backup will be lost.', 'pentad'),
  },
  themes: {
    label: __('Themes', 'pentad'),
    holds: __('Installed themes', 'pentad'),
    restored: __('All installed themes. Changes made since the backup will be lost.', 'pentad'),
  },
  extensions: {
    label: __('Extensions', 'pentad'),
    holds: __('Installed extensions', 'pentad'),
    restored: __('All installed extensions, as they were at the time of the backup.', 'pentad'),
  },
  others: {
    label: __('Other files', 'pentad'),
    holds: __('Site and service settings, and other files in the site folder', 'pentad'),
    restored: __('All site, service, and extension settings.', 'pentad'),
  },
}

/** Types of backups, as they are listed and filtered. */
export const TYPES: Readonly<Record<BackupRecord['kind'] | 'beforeRestore', string>> = {
  manual: __('Manual', 'pentad'),
  beforeRestore: __('Before restore', 'pentad'),
  automatic: __('Automatic', 'pentad'),
  uploaded: __('Uploaded', 'pentad'),
}

export function typeOf({ kind, beforeRestore }: Pick<BackupRecord, 'kind' | 'beforeRestore'>): string {
  return TYPES[beforeRestore ? 'beforeRestore' : kind]
}

/** What limits a list to a type. */
export function typeFilter(type: string): { readonly kind?: string; readonly beforeRestore?: boolean } {
  if (type === 'beforeRestore') return { beforeRestore: true }
  return type === 'manual' ? { kind: type, beforeRestore: false } : { kind: type }
}

const BACKUP_STAGES: Readonly<Record<string, string>> = {
  prepare: __('Scanning files', 'pentad'),
  database: __('Backing up database', 'pentad'),
  files: __('Archiving files', 'pentad'),
  finish: __('Assembling and verifying archive', 'pentad'),
  upload: __('Uploading archive', 'pentad'),
  cleanup: __('Cleaning up', 'pentad'),
}

const RESTORE_STAGES: Readonly<Record<string, string>> = {
  verify: __('Verifying archive', 'pentad'),
  extract: __('Extracting files', 'pentad'),
  database: __('Restoring database', 'pentad'),
  files: __('Preparing files', 'pentad'),
  finish: __('Switching to the restored site', 'pentad'),
}

export function stageOf({ kind, stage }: Pick<Progress, 'kind' | 'stage'>): string {
  return (kind === 'backup' ? BACKUP_STAGES : RESTORE_STAGES)[stage] ?? stage
}

/** `Archiving files: 33%` */
export function progressLabel(progress: Pick<Progress, 'kind' | 'stage' | 'percent'>): string {
  return sprintf(__('%1$s: %2$s', 'pentad'), stageOf(progress), formatPercent(Math.floor(progress.percent) / 100))
}

/** `12 MB of 40 MB`; empty until the total is known. */
export function amountOf({ processed, total }: Pick<Progress, 'processed' | 'total'>): string {
  if (total.bytes === 0) return ''
  return sprintf(__('%1$s of %2$s', 'pentad'), formatBytes(processed.bytes), formatBytes(total.bytes))
}

/** Whether a category is code that runs on the server. */
export function isCode(category: Category): boolean {
  return category === 'extensions' || category === 'themes'
}
