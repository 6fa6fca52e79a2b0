import { createHash } from 'node:crypto'
import type { Compression } from '../types.ts'
import { corrupt, quoted } from './errors.ts'
import { createFileWriter, type FileWriter } from './file-writer.ts'
import { type StoredEntry, type StoredMember, TAIL_NAMES } from './format.ts'
import { type TarEntry, tarEntries } from './tar-entries.ts'
import { unpackMembers, unpackRange } from './unpacked.ts'

/**
 * A run of members that holds whole entries, to be read to its end: every header has to be as the index says and
 * every content to have its sum. With `folder` the files among `wanted` are written there.
 */
export interface UnitTask {
  readonly path: string
  readonly compression: Compression
  readonly members: readonly StoredMember[]
  /** Of an archive without an index: all of it, which may unpack to so many bytes. */
  readonly whole?: { readonly bytes: number; readonly limit: number } | undefined
  readonly entries: readonly StoredEntry[]
  readonly folder?: string | undefined
  /** Names; all files if it is missing. */
  readonly wanted?: readonly string[] | undefined
}

/** Sums of the files, by their place among the entries; the sum of a large file becomes known here. */
export async function readUnit(task: UnitTask): Promise<{ readonly sums: readonly (string | undefined)[] }> {
  const { path, compression, members, whole, entries, folder } = task
  const bytes = whole
    ? unpackRange(path, compression, { at: 0, bytes: whole.bytes }, whole.limit)
    : unpackMembers(path, compression, members)
  const wanted = task.wanted && new Set(task.wanted)
  const writer = folder === undefined ? undefined : createFileWriter(folder)
  const sums: (string | undefined)[] = []
  for await (const { entry, content } of tarEntries(bytes)) {
    const passedOver = whole && (TAIL_NAMES.includes(entry.name) || entry.name === '.')
    const expected = passedOver ? undefined : entries[sums.length]
    if (!passedOver && !(expected && sameEntry(entry, expected))) {
      throw corrupt(`The archive does not hold what its index says: ${quoted(entry.name)}.`)
    }
    const keep = expected && (wanted?.has(entry.name) ?? true)
    const sha256 = await readContent({ entry, content }, keep ? writer : undefined)
    if (!expected) continue
    if (expected.sha256 !== undefined && expected.sha256 !== sha256) {
      throw corrupt(`A file in the archive is damaged: ${quoted(entry.name)}.`)
    }
    sums.push(sha256)
  }
  if (sums.length !== entries.length) throw corrupt('The archive does not hold all that its index says.')
  return { sums }
}

async function readContent({ entry, content }: TarEntry, writer: FileWriter | undefined): Promise<string | undefined> {
  if (entry.type !== 'file') {
    for await (const _ of content)
      throw corrupt(`A folder or link in the archive has a content: ${quoted(entry.name)}.`)
    return undefined
  }
  const hash = createHash('sha256')
  const file = writer?.open(entry)
  try {
    for await (const chunk of content) {
      hash.update(chunk)
      file?.write(chunk)
    }
    file?.finish()
  } finally {
    file?.close()
  }
  return hash.digest('hex')
}

function sameEntry(entry: TarEntry['entry'], expected: StoredEntry): boolean {
  return (
    entry.name === expected.name &&
    entry.type === expected.type &&
    entry.size === expected.size &&
    entry.mode === (expected.mode & 0o777) &&
    entry.linkTarget === expected.linkTarget
  )
}
