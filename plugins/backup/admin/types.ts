/** Responses of the routes of `backup/v1`, as far as the screens use them. */
import type { Responses } from 'pentad/admin/api/responses.ts'

export const CATEGORIES = ['database', 'uploads', 'themes', 'extensions', 'others'] as const

export type Category = BackupRecord['contents'][number]

export type BackupRecord = Responses['GET /backup/v1/backup/fetch']['items'][number]

export type Progress = Responses['GET /backup/v1/backup/progress']

export type BackupActionItem = Overview['actionItems'][number]

export type Overview = Responses['GET /backup/v1/backup/overview']

export type LocationList = Responses['GET /backup/v1/backup/locations']

export type Location = LocationList['items'][number]

export type LogEntry = Responses['GET /backup/v1/backup/logs']['entries'][number]
