import { corrupt } from './errors.ts'
import { BLOCK, padded, type StoredEntry } from './format.ts'
import { checkedEntry, type TarEntry } from './tar-entries.ts'

/** What becomes of the content of an entry. */
export interface EntryReader {
  write(chunk: Buffer): void
  end(): void
}

/** Takes the tar bytes of one member after the other, without waiting: when `read` returns it needs them no more. */
export interface MemberReader {
  /** @throws ArchiveError at the first entry that is not as it should be */
  read(tar: Buffer): void
  /** @throws ArchiveError if the last content is not whole */
  end(): void
}

const TYPES = new Map<string, StoredEntry['type']>([
  ['0', 'file'],
  ['2', 'symlink'],
  ['5', 'directory'],
])
const PAX = 'x'

/**
 * Reads the tar as this service writes it (POSIX ustar and pax): a header never reaches over the end of its member,
 * and stands in it as a whole with its pax records. What standard tools may have written is read by `tarEntries`.
 */
export function createMemberReader(begin: (entry: TarEntry['entry']) => EntryReader): MemberReader {
  let entry: EntryReader | undefined
  let missing = 0
  let padding = 0
  return {
    read(tar) {
      for (let at = 0; at < tar.length; ) {
        if (!entry) {
          const header = readHeader(tar, at)
          at += header.bytes
          entry = begin(header.entry)
          missing = header.entry.size
          padding = padded(missing) - missing
        }
        const content = tar.subarray(at, at + missing)
        if (content.length > 0) entry.write(content)
        missing -= content.length
        const passed = missing > 0 ? 0 : Math.min(padding, tar.length - at - content.length)
        padding -= passed
        at += content.length + passed
        if (missing > 0 || padding > 0) continue
        entry.end()
        entry = undefined
      }
    },
    end() {
      if (entry) throw cutOff()
    },
  }
}

function readHeader(tar: Buffer, at: number): { entry: TarEntry['entry']; bytes: number } {
  const block = headerBlock(tar, at)
  const type = text(block, 156, 1)
  if (type !== PAX) return { entry: checkedEntry(fieldsOf(block)), bytes: BLOCK }
  const length = octal(block, 124, 12)
  const start = at + BLOCK
  const next = start + padded(length)
  const pax = paxRecords(tar.subarray(start, start + length))
  const fields = fieldsOf(headerBlock(tar, next))
  const { path: name = fields.name, linkpath: linkname = fields.linkname, size } = pax
  const entry = checkedEntry({ ...fields, name, linkname, size: size === undefined ? fields.size : Number(size), pax })
  return { entry, bytes: next + BLOCK - at }
}

/** A header whose own sum is right: of all bytes, with spaces in place of the sum. */
function headerBlock(tar: Buffer, at: number): Buffer {
  const block = tar.subarray(at, at + BLOCK)
  if (block.length < BLOCK) throw cutOff()
  let sum = 8 * 0x20
  for (const [index, byte] of block.entries()) if (index < 148 || index >= 156) sum += byte
  if (sum !== octal(block, 148, 8)) throw cutOff()
  return block
}

function fieldsOf(block: Buffer) {
  const prefix = text(block, 345, 155)
  return {
    name: prefix === '' ? text(block, 0, 100) : `${prefix}/${text(block, 0, 100)}`,
    type: TYPES.get(text(block, 156, 1)),
    mode: octal(block, 100, 8),
    size: size(block),
    mtime: new Date(octal(block, 136, 12) * 1000),
    linkname: text(block, 157, 100),
    pax: {},
  }
}

/** Octal digits, or for 8 GiB and more a binary number behind a first byte of 0x80 (GNU tar manual, "Extensions"). */
function size(block: Buffer): number {
  return block[124] === 0x80 ? Number(block.readBigUInt64BE(128)) : octal(block, 124, 12)
}

function octal(block: Buffer, at: number, length: number): number {
  const digits = text(block, at, length).trim()
  if (!/^[0-7]*$/.test(digits)) throw cutOff()
  return Number.parseInt(digits || '0', 8)
}

/** Up to the first zero. */
function text(block: Buffer, at: number, length: number): string {
  const field = block.subarray(at, at + length)
  const end = field.indexOf(0)
  return field.toString('utf8', 0, end === -1 ? length : end)
}

/** `length key=value`, each with a newline; the length is that of the whole record. */
function paxRecords(bytes: Buffer): Record<string, string> {
  const records: Record<string, string> = {}
  for (let at = 0; at < bytes.length; ) {
    const digits = /^[1-9]\d{0,7}(?= )/.exec(bytes.toString('latin1', at, at + 9))?.[0] ?? ''
    const end = at + Number(digits)
    const equals = bytes.indexOf('=', at)
    if (digits === '' || end > bytes.length || bytes[end - 1] !== 10 || equals === -1 || equals >= end) throw cutOff()
    records[bytes.toString('utf8', at + digits.length + 1, equals)] = bytes.toString('utf8', equals + 1, end - 1)
    at = end
  }
  return records
}

function cutOff() {
  return corrupt('The archive is damaged or cut off: it holds no readable tar.')
}
