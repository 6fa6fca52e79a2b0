import { corrupt } from './errors.ts'
import { BLOCK, padded, type StoredEntry } from './format.ts'
import { checkedEntry, type TarEntry } from './tar-entries.ts'

/** Consumes the content of an entry. */
export interface EntryReader {
  write(chunk: Buffer): void
  end(): void
}

/** Parses the tar bytes of consecutive members synchronously: after `read` returns, the buffer may be reused. */
export interface MemberReader {
  /** @throws ArchiveError at the first invalid entry */
  read(tar: Buffer): void
  /** @throws ArchiveError if the last entry is incomplete */
  end(): void
}

const TYPES = new Map<string, StoredEntry['type']>([
  ['0', 'file'],
  ['2', 'symlink'],
  ['5', 'directory'],
])
const PAX = 'x'

/**
 * Reads tar data as this service writes it (POSIX ustar and pax): a header with its pax records never crosses a member
 * boundary. Archives written by other tools are read by `tarEntries`.
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
      if (entry) throw truncated()
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

/** A header block with a valid checksum: the sum of all bytes, with the checksum field read as spaces. */
function headerBlock(tar: Buffer, at: number): Buffer {
  const block = tar.subarray(at, at + BLOCK)
  if (block.length < BLOCK) throw truncated()
  let sum = 8 * 0x20
  for (const [index, byte] of block.entries()) if (index < 148 || index >= 156) sum += byte
  if (sum !== octal(block, 148, 8)) throw truncated()
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

/** Octal digits, or from 8 GiB on a binary number after a first byte of 0x80 (GNU tar manual, "Extensions"). */
function size(block: Buffer): number {
  return block[124] === 0x80 ? Number(block.readBigUInt64BE(128)) : octal(block, 124, 12)
}

function octal(block: Buffer, at: number, length: number): number {
  const digits = text(block, at, length).trim()
  if (!/^[0-7]*$/.test(digits)) throw truncated()
  return Number.parseInt(digits || '0', 8)
}

/** A NUL-terminated string. */
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
    if (digits === '' || end > bytes.length || bytes[end - 1] !== 10 || equals === -1 || equals >= end)
      throw truncated()
    records[bytes.toString('utf8', at + digits.length + 1, equals)] = bytes.toString('utf8', equals + 1, end - 1)
    at = end
  }
  return records
}

function truncated() {
  return corrupt('The archive is damaged or truncated: its tar data cannot be read.')
}
