import { createHash } from 'node:crypto'
import type { Compression } from '../types.ts'
import { corrupt, quoted } from './errors.ts'
import { createFileWriter } from './file-writer.ts'
import { type StoredEntry, type StoredMember, TAIL_NAMES } from './format.ts'
import { type TarEntry, tarEntries } from './tar-entries.ts'
import { createMemberReader, type EntryReader } from './tar-members.ts'
import { unpackMembers, unpackRange } from './unpacked.ts'

/**
 * A run of members that holds complete entries. Every header must match the index and every content its checksum. With
 * `folder`, the `wanted` files are written there.
 */
export interface UnitTask {
  readonly path: string
  readonly compression: Compression
  readonly members: readonly StoredMember[]
  /** For an archive without an index: its size and the maximum unpacked size, in bytes. */
  readonly whole?: { readonly bytes: number; readonly limit: number } | undefined
  readonly entries: readonly StoredEntry[]
  readonly folder?: string | undefined
  /** Names of files to write. Default: all. */
  readonly wanted?: readonly string[] | undefined
}

/** Checksums of the files, by position among the entries. The checksum of a large file is computed here. */
export async function readUnit(task: UnitTask): Promise<{ readonly sums: readonly (string | undefined)[] }> {
  const { path, compression, members, whole } = task
  const unit = createUnit(task)
  try {
    if (whole) {
      for await (const { entry, content } of tarEntries(
        unpackRange(path, compression, { at: 0, bytes: whole.bytes }, whole.limit),
      )) {
        const isSkipped = TAIL_NAMES.includes(entry.name) || entry.name === '.'
        const reader = isSkipped ? undefined : unit.begin(entry)
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

/** Compares the entries with the index, in order. */
function createUnit({ entries, folder, wanted }: UnitTask) {
  const names = wanted && new Set(wanted)
  const writer = folder === undefined ? undefined : createFileWriter(folder)
  const sums: (string | undefined)[] = []
  let close = () => {}
  return {
    begin(entry: TarEntry['entry']): EntryReader {
      const expected = entries[sums.length]
      if (!expected || !sameEntry(entry, expected)) {
        throw corrupt(`An entry of the archive does not match its index: ${quoted(entry.name)}.`)
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
      if (sums.length !== entries.length) throw corrupt('Entries listed in the index are missing from the archive.')
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
