/** Responses of the routes of `backup/v1`, as far as the screens use them. */
import type { Answers } from 'pentad/admin/api/answers.ts'

export const CATEGORIES = ['database', 'uploads', 'themes', 'extensions', 'others'] as const

export type Category = BackupRecord['contents'][number]

export type BackupRecord = Answers['GET /backup/v1/backup/fetch']['items'][number]

export type Progress = Answers['GET /backup/v1/backup/progress']

export type BackupActionItem = Overview['actionItems'][number]

export type Overview = Answers['GET /backup/v1/backup/overview']

export type Location = Answers['GET /backup/v1/backup/locations']['items'][number]

export type LogEntry = Answers['GET /backup/v1/backup/logs']['entries'][number]
