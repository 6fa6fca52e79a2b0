import { createHash } from 'node:crypto'
import type { Compression } from '../types.ts'
import { corrupt, quoted } from './errors.ts'
import { createFileWriter } from './file-writer.ts'
import { type StoredEntry, type StoredMember, TAIL_NAMES } from './format.ts'
import { type TarEntry, tarEntries } from './tar-entries.ts'
import { createMemberReader, type EntryReader } from './tar-members.ts'
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
  const { path, compression, members, whole } = task
  const unit = createUnit(task)
  try {
    if (whole) {
      for await (const { entry, content } of tarEntries(
        unpackRange(path, compression, { at: 0, bytes: whole.bytes }, whole.limit),
      )) {
        const passedOver = TAIL_NAMES.includes(entry.name) || entry.name === '.'
        const reader = passedOver ? undefined : unit.begin(entry)
        for await (const chunk of content) reader?.write(chunk)
        reader?.end()
      }
    } else {
      const reader = createMemberReader(unit.begin)
      for (const tar of unpackMembers(path, compression, members)) reader.read(tar)
      reader.end()
    }
    return { sums: unit.sums() }
  } finally {
    unit.close()
  }
}

/** Compares what comes with what the index says, one entry after the other. */
function createUnit({ entries, folder, wanted }: UnitTask) {
  const names = wanted && new Set(wanted)
  const writer = folder === undefined ? undefined : createFileWriter(folder)
  const sums: (string | undefined)[] = []
  let close = () => {}
  return {
    begin(entry: TarEntry['entry']): EntryReader {
      const expected = entries[sums.length]
      if (!expected || !sameEntry(entry, expected)) {
        throw corrupt(`The archive does not hold what its index says: ${quoted(entry.name)}.`)
      }
      const hash = entry.type === 'file' ? createHash('sha256') : undefined
      const file = hash && (names?.has(entry.name) ?? true) ? writer?.open(entry) : undefined
      close = () => {
        close = () => {}
        file?.close()
      }
      return {
        write(chunk) {
          hash?.update(chunk)
          file?.write(chunk)
        },
        end() {
          const sha256 = hash?.digest('hex')
          if (expected.sha256 !== undefined && expected.sha256 !== sha256) {
            throw corrupt(`A file in the archive is damaged: ${quoted(entry.name)}.`)
          }
          sums.push(sha256)
          file?.finish()
          close()
        },
      }
    },
    sums() {
      if (sums.length !== entries.length) throw corrupt('The archive does not hold all that its index says.')
      return sums
    },
    close: () => close(),
  }
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
