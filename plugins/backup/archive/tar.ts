import { pack as packTar } from 'tar-stream'
import type { Arena } from './arena.ts'
import { BLOCK, END_OF_TAR, padded } from './format.ts'

/** An entry to add to a tar. */
export interface TarItem {
  readonly name: string
  readonly type: 'file' | 'directory' | 'symlink'
  readonly mode: number
  readonly mtimeMs: number
  readonly linkTarget?: string | undefined
  readonly content: Buffer
}

/** Type flag of pax records: `x`. */
const PAX = 0x78

/** Latest time that fits into a header (32 bits), in ms. Later times go into a pax record. */
const LAST_MOMENT = (2 ** 31 - 1) * 1000

/** A tar of these entries without the end marker, so that more can follow. The bytes are in the arena. */
export async function packEntries(items: readonly TarItem[], arena: Arena): Promise<Buffer> {
  const pack = packTar()
  for (const item of items) pack.entry({ ...headerOf(item), size: item.content.length }, item.content)
  pack.finalize()
  const chunks: Buffer[] = []
  for await (const chunk of pack) if (Buffer.isBuffer(chunk)) chunks.push(chunk)
  const bytes = arena.join(chunks)
  return bytes.subarray(0, bytes.length - END_OF_TAR)
}

/** Only the header, for a file whose content follows in parts. */
export async function packHeader(item: Omit<TarItem, 'content'>, size: number): Promise<Buffer> {
  const pack = packTar()
  pack.entry({ ...headerOf(item), size }).on('error', () => {})
  let bytes = Buffer.alloc(0)
  for await (const chunk of pack) {
    if (Buffer.isBuffer(chunk)) bytes = Buffer.concat([bytes, chunk])
    if (bytes.length >= BLOCK && bytes.length === headerBytes(bytes, 0)) break
  }
  return bytes
}

/**
 * Some tools treat a backslash as a separator, and tar-stream splits long names differently. Such names go into an
 * additional pax record; of two records the later one wins (POSIX pax, "Extended Header").
 */
function headerOf(item: Omit<TarItem, 'content'>) {
  const date = new Date(Math.min(Math.max(item.mtimeMs, 0), LAST_MOMENT))
  const full = item.type === 'directory' ? `${item.name}/` : item.name
  const needsRecord = item.name.includes('\\') || Buffer.byteLength(full) > 100
  const pax = {
    ...(needsRecord && { path: full }),
    ...(date.getTime() !== item.mtimeMs &&
      Math.abs(item.mtimeMs) > LAST_MOMENT && { mtime: String(item.mtimeMs / 1000) }),
  }
  return {
    name: item.name.replaceAll('\\', '_'),
    type: item.type,
    mode: item.mode & 0o7777,
    mtime: date,
    ...(item.linkTarget !== undefined && { linkname: item.linkTarget }),
    ...(Object.keys(pax).length > 0 && { pax }),
  }
}

/** Offset of each entry, found by stepping from header to header. */
export function entryOffsets(bytes: Buffer, sizes: readonly number[]): number[] {
  let at = 0
  return sizes.map((size) => {
    const start = at
    at += headerBytes(bytes, at) + padded(size)
    return start
  })
}

/** Length of the header at this offset, including preceding pax records. */
function headerBytes(bytes: Buffer, at: number): number {
  if (bytes[at + 156] !== PAX) return BLOCK
  return BLOCK + padded(Number.parseInt(bytes.toString('latin1', at + 124, at + 135), 8)) + BLOCK
}
