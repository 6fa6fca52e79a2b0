/** What the routes of `backup/v1` answer, as far as the screens show it. */
import type { ActionItem } from 'pentad/admin/parts/action-items.tsx'

export const CATEGORIES = ['database', 'uploads', 'themes', 'extensions', 'others'] as const

export type Category = (typeof CATEGORIES)[number]

export interface BackupRecord {
  readonly id: string
  readonly title: string
  readonly contents: readonly Category[]
  readonly size: number
  readonly location: string
  readonly date: string
  readonly kind: 'manual' | 'automatic' | 'uploaded'
  readonly sha256: string
  readonly fileName: string
  readonly keepForever: boolean
  /** Whether the key of this site signed the archive. */
  readonly signed: boolean
}

export interface Progress {
  readonly jobId: string
  readonly kind: 'backup' | 'restore'
  readonly state: 'running' | 'complete' | 'cancelled' | 'failed'
  readonly stage: string
  readonly percent: number
  readonly processed: { readonly files: number; readonly bytes: number }
  readonly total: { readonly files: number; readonly bytes: number }
  readonly warnings: readonly string[]
  readonly backupId: string | null
  readonly error: { readonly code: string; readonly message: string } | null
}

export interface BackupActionItem extends ActionItem {
  readonly setting?: string
}

export interface Overview {
  readonly running: Progress | null
  readonly latest: readonly BackupRecord[]
  readonly total: number
  readonly size: number
  readonly next: string | null
  readonly lastFailure: { readonly jobId: string; readonly date: string; readonly message: string } | null
  readonly actionItems: readonly BackupActionItem[]
}

export interface Location {
  readonly id: string
  readonly title: string
  readonly configured: boolean
  readonly isDefault: boolean
  readonly settings: readonly string[]
  readonly backups: number
  readonly size: number
}

export interface LogEntry {
  readonly time: string
  readonly level: 'info' | 'warning' | 'error'
  readonly stage: string
  readonly message: string
}
