import { z } from 'zod'

/**
 * How many backups stay (contract 3): a string number, "0" keeps all; an integer is accepted and stored as a string.
 * Anything else is refused, so that a typing mistake removes nothing.
 */
export const keepLatestBackupsCount = z
  .union([
    z.string().regex(/^(?:0|[1-9]\d{0,5})$/, 'must be a number such as "5"; "0" keeps all'),
    z.int().min(0).max(999_999).transform(String),
  ])
  .default('5')

/** As much of a backup record as the choice depends on. */
export interface RetainedBackup {
  readonly id: string
  readonly kind: 'manual' | 'automatic' | 'uploaded'
  /** ISO 8601, UTC. */
  readonly date: string
  readonly keepForever: boolean
}

/**
 * Chooses which backups of one site go, oldest first, wherever they are kept. Uploaded ones and those to keep for ever
 * neither go nor count; the one just made counts and stays.
 *
 * @param keep - The setting `keepLatestBackupsCount`; anything that is no number above 0 keeps all.
 * @param justMade - Id of the backup after whose completion this runs.
 */
export function backupsToRemove<Backup extends RetainedBackup>(
  backups: readonly Backup[],
  keep: unknown,
  justMade: string,
): Backup[] {
  const parsed = keepLatestBackupsCount.safeParse(keep ?? '')
  const count = parsed.success ? Number(parsed.data) : 0
  if (count === 0) return []
  const rotated = backups.filter(({ kind, keepForever }) => kind !== 'uploaded' && !keepForever)
  // Of the same moment the one just made is the newest.
  const isOlder = (a: Backup, b: Backup) =>
    Number(a.id === justMade) - Number(b.id === justMade) ||
    Date.parse(a.date) - Date.parse(b.date) ||
    (a.id < b.id ? -1 : 1)
  return rotated.toSorted(isOlder).slice(0, Math.max(0, rotated.length - count))
}
