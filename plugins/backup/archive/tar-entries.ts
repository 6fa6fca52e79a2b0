import { pipeline } from 'node:stream/promises'
import { extract as extractTar, type Header } from 'tar-stream'
import { ArchiveError, corrupt, quoted, unsafe } from './errors.ts'
import type { StoredEntry } from './format.ts'
import { checkName, linkStays } from './names.ts'

/** An entry as the tar tells it. */
export interface TarEntry {
  readonly entry: Omit<StoredEntry, 'offset' | 'sha256'>
  /** Has to be read to its end before the next entry comes. */
  readonly content: AsyncIterable<Buffer>
}

/** What decides about an entry in its header, pax records applied. */
export interface HeaderFields {
  readonly name: string
  readonly type?: Header['type'] | undefined
  readonly mode: number
  readonly size: number
  readonly mtime: Date
  readonly linkname?: string | null | undefined
  readonly pax?: unknown
}

/** pax records that change what an entry is and that no archive of ours has. */
const STRANGE_RECORD = /^(GNU\.sparse|hdrcharset$)/

/**
 * The entries of a tar, each checked before anybody sees it: what is neither file, folder nor a link that stays inside
 * is refused, and so is every name that climbs out.
 *
 * @throws ArchiveError at the first entry that is not as it should be
 */
export async function* tarEntries(chunks: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const extract = extractTar()
  // It tells of the same failure once more, when nobody waits for it.
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

/** What the reader of tar says about a broken archive, in our words. */
function readable(error: unknown): ArchiveError {
  if (error instanceof ArchiveError) return error
  return corrupt('The archive is damaged or cut off: it holds no readable tar.')
}

/** What a header says, once it is proven harmless. */
export function checkedEntry(header: HeaderFields): TarEntry['entry'] {
  const { type, linkname, mode, size, mtime } = header
  const pax = new Map(Object.entries(header.pax ?? {}))
  if (type !== 'file' && type !== 'directory' && type !== 'symlink') {
    throw unsafe(`The archive holds something that is no file, folder or symbolic link: ${quoted(header.name)}.`)
  }
  // `tar -C folder -czf archive .` writes `./` before every name.
  const name = (type === 'directory' ? header.name.replace(/\/$/, '') : header.name).replace(/^\.\/(?=.)/, '')
  if (type !== 'directory' || name !== '.') checkName(name)
  if (type !== 'file' && size !== 0) throw corrupt(`A folder or link in the archive has a content: ${quoted(name)}.`)
  if (!Number.isSafeInteger(size)) throw corrupt(`The archive holds an impossible size: ${quoted(name)}.`)
  if ([...pax.keys()].some((key) => STRANGE_RECORD.test(key))) {
    throw new ArchiveError('archive_unsupported', `The archive stores a file in an unusual way: ${quoted(name)}.`)
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
    throw unsafe(`The archive holds a link that leads out of its folder: ${quoted(name)}.`)
  return { ...entry, linkTarget: linkname ?? '' }
}
