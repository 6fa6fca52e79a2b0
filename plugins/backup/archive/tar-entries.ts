import { pipeline } from 'node:stream/promises'
import { extract as extractTar, type Header } from 'tar-stream'
import { ArchiveError, corrupt, quoted, unsafe } from './errors.ts'
import type { StoredEntry } from './format.ts'
import { checkName, linkStays } from './names.ts'

/** An entry read from a tar. */
export interface TarEntry {
  readonly entry: Omit<StoredEntry, 'offset' | 'sha256'>
  /** Must be consumed before the next entry is requested. */
  readonly content: AsyncIterable<Buffer>
}

/** The header fields that matter, with pax records applied. */
export interface HeaderFields {
  readonly name: string
  readonly type?: Header['type'] | undefined
  readonly mode: number
  readonly size: number
  readonly mtime: Date
  readonly linkname?: string | null | undefined
  readonly pax?: unknown
}

/** pax records that change the meaning of an entry. Pentad archives never contain them. */
const UNSUPPORTED_RECORD = /^(GNU\.sparse|hdrcharset$)/

/**
 * Reads the entries of a tar and validates each one: only files, folders and links that stay inside are allowed, and no
 * path traversal.
 *
 * @throws ArchiveError at the first invalid entry
 */
export async function* tarEntries(chunks: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const extract = extractTar()
  // The stream emits the error a second time after it was already handled.
  extract.on('error', () => {})
  const feeding = pipeline(chunks, extract).catch(() => {})
  try {
    for await (const content of extract) yield { entry: checkedEntry(content.header), content: buffers(content) }
    await feeding
  } catch (error) {
    throw readable(error)
  } finally {
    extract.destroy()
  }
}

async function* buffers(content: AsyncIterable<unknown>): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of content) if (Buffer.isBuffer(chunk)) yield chunk
  } catch (error) {
    throw readable(error)
  }
}

/** Converts errors of the tar parser. */
function readable(error: unknown): ArchiveError {
  if (error instanceof ArchiveError) return error
  return corrupt('The archive is damaged or truncated: its tar data cannot be read.')
}

/** Validates a header. */
export function checkedEntry(header: HeaderFields): TarEntry['entry'] {
  const { type, linkname, mode, size, mtime } = header
  const pax = new Map(Object.entries(header.pax ?? {}))
  if (type !== 'file' && type !== 'directory' && type !== 'symlink') {
    throw unsafe(`The archive contains an entry that is not a file, folder, or symbolic link: ${quoted(header.name)}.`)
  }
  // `tar -C folder -czf archive .` writes `./` before every name.
  const name = (type === 'directory' ? header.name.replace(/\/$/, '') : header.name).replace(/^\.\/(?=.)/, '')
  if (type !== 'directory' || name !== '.') checkName(name)
  if (type !== 'file' && size !== 0) throw corrupt(`A folder or link in the archive has content: ${quoted(name)}.`)
  if (!Number.isSafeInteger(size)) throw corrupt(`The archive contains an entry with an invalid size: ${quoted(name)}.`)
  if ([...pax.keys()].some((key) => UNSUPPORTED_RECORD.test(key))) {
    throw new ArchiveError(
      'archive_unsupported',
      `The archive stores a file in an unsupported format: ${quoted(name)}.`,
    )
  }
  const seconds = Number(pax.get('mtime') ?? Number.NaN)
  const entry = {
    name,
    type,
    size,
    mode: mode & 0o777,
    mtimeMs: Number.isFinite(seconds) ? seconds * 1000 : mtime.getTime(),
  }
  if (type !== 'symlink') return entry
  if (!linkStays(name, linkname ?? ''))
    throw unsafe(`The archive contains a link that points outside its folder: ${quoted(name)}.`)
  return { ...entry, linkTarget: linkname ?? '' }
}
