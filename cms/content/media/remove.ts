import { sql } from 'kysely'
import type { Database } from '../../../core/database/index.ts'
import type { JsonValue } from '../../../core/options/types.ts'
import { fromJsonText, toJsonText } from '../rows.ts'
import type { Meta, MetaStore } from '../types.ts'
import { asRecord } from './details.ts'
import type { UploadFiles } from './upload-files.ts'
import { safeUploadPath } from './upload-path.ts'

/** Every file of an attachment below the uploads folder: itself, its sizes, and the original that it was scaled down from. */
export function filesOfAttachment(meta: Meta): string[] {
  const attached = meta._wp_attached_file?.[0]
  const file = typeof attached === 'string' ? safeUploadPath(attached) : undefined
  if (file === undefined) return []
  const folder = file.slice(0, file.lastIndexOf('/') + 1)
  const record = asRecord(meta._wp_attachment_metadata?.[0])
  const names = [...Object.values(asRecord(record.sizes)).map((size) => asRecord(size).file), record.original_image]
  const others = names.flatMap((name) =>
    typeof name === 'string' && !name.includes('/') ? (safeUploadPath(folder + name) ?? []) : [],
  )
  return [...new Set([file, ...others])]
}

/**
 * Sizes of an image, identified by name, that are missing from the metadata because the process died while generating them. No other image
 * can have such a name (`placeFile`).
 */
export async function sizesByName(files: UploadFiles, file: string): Promise<string[]> {
  const [slash, dot] = [file.lastIndexOf('/') + 1, file.lastIndexOf('.')]
  const [start, end] = [`${file.slice(slash, dot)}-`, file.slice(dot)]
  const isSize = (name: string) =>
    name.startsWith(start) && name.endsWith(end) && /^(?:\d+x\d+|scaled)$/.test(name.slice(start.length, -end.length))
  const names = await files.names(file.slice(0, Math.max(0, slash - 1)), start)
  return names.filter(isSize).map((name) => file.slice(0, slash) + name)
}

/**
 * Deletes the files of a deleted attachment: only regular files below the uploads folder, and none that belongs to another attachment,
 * regardless of the metadata.
 */
export async function removeFiles(
  removed: readonly string[],
  { files, database, meta }: { files: UploadFiles; database: Database; meta: MetaStore },
): Promise<void> {
  const [first] = removed
  if (first === undefined) return
  const others = await filesOfOthers(first.slice(0, first.lastIndexOf('/') + 1), database, meta)
  for (const file of removed) if (!others.has(file)) await files.remove(file)
}

/** The files of all attachments in the same folder. */
async function filesOfOthers(folder: string, database: Database, meta: MetaStore): Promise<ReadonlySet<string>> {
  // Without the quotation mark at its end: as the values begin that lie below it.
  const start = toJsonText(folder).slice(0, -1)
  const { rows } = await sql<{ post_id: number; meta_value: string }>`
    select post_id, meta_value from postmeta
    where meta_key = '_wp_attached_file' and substr(meta_value, 1, ${sql.lit([...start].length)}) = ${start}`.execute(
    database.db,
  )
  const isThere = (file: JsonValue) => typeof file === 'string' && file.slice(0, file.lastIndexOf('/') + 1) === folder
  const ids = rows.filter((row) => isThere(fromJsonText(row.meta_value))).map((row) => row.post_id)
  const metas = await meta.of('post', ids)
  return new Set([...metas.values()].flatMap(filesOfAttachment))
}
