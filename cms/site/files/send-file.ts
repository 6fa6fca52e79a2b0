import { randomBytes } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type Koa from 'koa'
import { codingFor, isCompressible, readCompressed } from './compressed.ts'
import { etagOf, type FoundFile } from './find-file.ts'
import { type ByteRange, readRanges } from './ranges.ts'

/**
 * Sends a file, whole, compressed, or in ranges, or 304 or 416 (RFC 9110, 13 and 14). Takes ownership of the file and closes it.
 * @param headers at least `Content-Type`
 */
export async function sendFile(
  context: Koa.Context,
  file: FoundFile,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const type = headers['Content-Type'] ?? 'application/octet-stream'
  const isText = isCompressible(type, file)
  const coding = isText ? codingFor(context) : undefined
  // Each representation has its own (RFC 9110, 8.8.3.3).
  const etag = coding ? etagOf(file).replace(/"$/, `-${coding}"`) : etagOf(file)
  context.status = 200
  if (isText) context.vary('Accept-Encoding')
  context.set({ ...headers, 'Accept-Ranges': 'bytes', ETag: etag, 'Last-Modified': file.changed.toUTCString() })
  if (context.fresh) {
    context.status = 304
    return file.handle.close()
  }
  if (coding) {
    context.set('Content-Encoding', coding)
    context.body = await readCompressed(file, coding)
    return
  }
  const ranges = context.method === 'GET' ? rangesOf(context, file, etag) : undefined
  if (ranges?.length === 0) {
    context.status = 416
    context.set('Content-Range', `bytes */${file.size}`)
    context.remove('Content-Type')
    context.body = ''
    return file.handle.close()
  }
  if (context.method === 'HEAD') {
    context.length = file.size
    return file.handle.close()
  }
  if (!ranges) return sendComplete(context, file)
  context.status = 206
  const [only] = ranges
  if (only && ranges.length === 1) {
    context.set('Content-Range', contentRange(only, file.size))
    context.body = file.handle.createReadStream(only)
    context.length = only.end - only.start + 1
    return
  }
  sendParts(context, file, ranges, type)
}

async function sendComplete(context: Koa.Context, file: FoundFile): Promise<void> {
  if (file.size === 0) {
    context.body = Buffer.alloc(0)
    return file.handle.close()
  }
  // A growing file must not exceed the announced length.
  context.body = file.handle.createReadStream({ start: 0, end: file.size - 1 })
  context.length = file.size
}

/** A failed `If-Range` requires the whole file (RFC 9110, 13.1.5). */
function rangesOf(context: Koa.Context, file: FoundFile, etag: string): ByteRange[] | undefined {
  const range = context.get('range')
  if (!range) return undefined
  const condition = context.get('if-range')
  if (condition && condition !== etag && condition !== file.changed.toUTCString()) return undefined
  return readRanges(range, file.size)
}

function contentRange({ start, end }: ByteRange, size: number): string {
  return `bytes ${start}-${end}/${size}`
}

/** Several ranges as `multipart/byteranges` (RFC 9110, 14.6). */
function sendParts(context: Koa.Context, file: FoundFile, ranges: readonly ByteRange[], type: string): void {
  const boundary = randomBytes(16).toString('hex')
  const parts = ranges.map((range) => ({
    range,
    head: `\r\n--${boundary}\r\nContent-Type: ${type}\r\nContent-Range: ${contentRange(range, file.size)}\r\n\r\n`,
  }))
  const end = `\r\n--${boundary}--\r\n`
  const body = Readable.from(readParts(file.handle, parts, end), { objectMode: false })
  // Not in the generator: if it is aborted before its first step, its `finally` never runs.
  body.once('close', () => file.handle.close().catch((error) => context.app.emit('error', error, context)))
  context.body = body
  context.set('Content-Type', `multipart/byteranges; boundary=${boundary}`)
  context.length = parts.reduce((sum, { head, range }) => sum + head.length + range.end - range.start + 1, end.length)
}

async function* readParts(handle: FileHandle, parts: readonly { range: ByteRange; head: string }[], end: string) {
  for (const { range, head } of parts) {
    yield Buffer.from(head)
    yield* handle.createReadStream({ ...range, autoClose: false })
  }
  yield Buffer.from(end)
}
