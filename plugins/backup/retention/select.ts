import { z } from 'zod'

/**
 * Number of backups to retain, as a numeric string; "0" retains all. Integers are accepted and stored as strings.
 * Anything else is rejected, so that a typo never deletes backups.
 */
export const keepLatestBackupsCount = z
  .union([
    z.string().regex(/^(?:0|[1-9]\d{0,5})$/, 'It must be a number, such as 5, or 0 to retain all backups.'),
    z.int().min(0).max(999_999).transform(String),
  ])
  .default('5')

/** The fields of a backup that retention uses. */
export interface RetainedBackup {
  readonly id: string
  readonly kind: 'manual' | 'automatic' | 'uploaded'
  /** ISO 8601, UTC. */
  readonly date: string
  readonly keepForever: boolean
}

interface Kept {
  /** Id of the backup that was just completed. */
  readonly justMade: string
  /** Id of a backup that is needed for now, because the site will be restored from it. */
  readonly needed?: string | undefined
}

/**
 * Selects the backups to delete, oldest first, across all locations. Uploaded backups and those marked `keepForever`
 * are neither deleted nor counted. The backup just created counts and is never deleted.
 *
 * @param keep - The `keepLatestBackupsCount` setting. Invalid values and 0 retain all.
 */
export function backupsToRemove<Backup extends RetainedBackup>(
  backups: readonly Backup[],
  keep: unknown,
  { justMade, needed }: Kept,
): Backup[] {
  const parsed = keepLatestBackupsCount.safeParse(keep ?? '')
  const count = parsed.success ? Number(parsed.data) : 0
  if (count === 0) return []
  const rotated = backups.filter(({ kind, keepForever }) => kind !== 'uploaded' && !keepForever)
  // With equal dates, the backup just created is the newest.
  const isOlder = (a: Backup, b: Backup) =>
    Number(a.id === justMade) - Number(b.id === justMade) ||
    Date.parse(a.date) - Date.parse(b.date) ||
    (a.id < b.id ? -1 : 1)
  const removable = rotated.toSorted(isOlder).slice(0, Math.max(0, rotated.length - count))
  return removable.filter(({ id }) => id !== needed)
}
