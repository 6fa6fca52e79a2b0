import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { addAbortSignal, Readable, Transform } from 'node:stream'
import type { WebDAVClient, WebDAVClientError } from 'webdav'
import type { BackupLocation, UploadedFile, UploadProgress } from '../../types.ts'
import { assertFileName, PARTIAL } from '../archive-file.ts'
import { resumedDownload } from '../download.ts'
import { type Failure, LocationFailure, statusFailure } from '../failure.ts'
import { idleLimit } from '../idle-limit.ts'
import { type RetryOptions, withRetries } from '../retry.ts'
import { createAgents, REDIRECTED } from './agents.ts'
import type { WebdavSettings } from './settings.ts'

/** Milliseconds without a byte, and for the server's answer once all bytes are there: some scan or copy them first. */
const IDLE_MS = 60_000
const ANSWER_MS = 10 * 60_000

/**
 * A folder on a WebDAV server (RFC 4918). The protocol cannot go on with half a file: a PUT that broke begins anew. It
 * goes to a temporary name, and MOVE publishes it once its size is right.
 *
 * The address may well be a private one: it is the owner's (`manage_options`), whose storage often stands in the same
 * house. No answer of the server leads to another one. Certificates are verified.
 */
export async function createWebdavLocation(settings: WebdavSettings, firstDelayMs: number): Promise<BackupLocation> {
  const { createClient, AuthType } = await import('webdav')
  const agents = createAgents(settings.webdavUrl, ANSWER_MS)
  const client = createClient(settings.webdavUrl, {
    ...agents,
    // Basic first, Digest when the server asks for it.
    authType: settings.webdavUser ? AuthType.Auto : AuthType.None,
    username: settings.webdavUser,
    password: settings.webdavPassword,
  })
  const retry: RetryOptions = { title: 'WebDAV', firstDelayMs, diagnose }
  const place = (name: string) => {
    assertFileName(name)
    return `/${name}`
  }

  return {
    id: 'webdav',
    title: 'WebDAV',
    test: (signal) =>
      withRetries({ ...retry, maxAttempts: 1 }, signal, async () => {
        await makeFolder(client, signal)
        const path = `/pentad-test-${randomBytes(12).toString('hex')}${PARTIAL}`
        const text = randomBytes(24).toString('base64url')
        try {
          await client.putFileContents(path, text, { signal })
          if ((await client.getFileContents(path, { format: 'text', signal })) !== text) {
            throw new LocationFailure({ reason: 'A file comes back other than it was written.', temporary: false })
          }
        } finally {
          await remove(client, path, signal)
        }
      }),
    upload: (file, progress) =>
      withRetries(retry, progress.signal, async () => {
        const target = place(file.name)
        // Asked first: the server then also says how it wants the password before the archive is on its way.
        await makeFolder(client, progress.signal)
        const partial = target + PARTIAL
        if ((await sizeOf(client, target, progress.signal)) !== file.size) {
          await send(client, file, partial, progress)
          const size = await sizeOf(client, partial, progress.signal)
          if (size !== file.size) {
            throw new LocationFailure({
              reason: `The server kept ${size ?? 0} of ${file.size} bytes.`,
              temporary: true,
            })
          }
          await client.moveFile(partial, target, { signal: progress.signal })
        }
        progress.sent(file.size)
        return file.name
      }),
    discard: (file, _state, signal) =>
      withRetries(retry, signal, () => remove(client, place(file.name) + PARTIAL, signal)),
    download: (name, range, signal) =>
      resumedDownload(retry, range, signal, async (part) => {
        // Not `createReadStream` of the library: its stream waits for ever when the connection breaks.
        const answer = await client.customRequest(place(name), {
          method: 'GET',
          signal,
          headers: part ? { Range: `bytes=${part.start}-${part.end ?? ''}` } : {},
        })
        const body = 'body' in answer ? answer.body : undefined
        if (!(body instanceof Readable)) throw new TypeError('The WebDAV library gave no Node stream.')
        if (part && answer.status !== 206) {
          body.destroy()
          throw new LocationFailure({ reason: 'The server does not give a part of a file.', temporary: false })
        }
        return body
      }),
    remove: (name, signal) => withRetries(retry, signal, () => remove(client, place(name), signal)),
    list: (signal) =>
      withRetries(retry, signal, async () => {
        const found = await ignoreMissing(client.getDirectoryContents('/', { signal, details: false }))
        return (found ?? [])
          .filter(({ type, basename }) => type === 'file' && !basename.endsWith(PARTIAL))
          .map(({ basename, size }) => ({ name: basename, size }))
      }),
    async close() {
      for (const agent of Object.values(agents)) agent.destroy()
    },
  }
}

/** One PUT with the length given: servers behind nginx, among others, take no chunked body. */
async function send(client: WebDAVClient, file: UploadedFile, path: string, progress: UploadProgress): Promise<void> {
  using limit = idleLimit(progress.signal, IDLE_MS)
  let bytes = 0
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      limit.extend(bytes < file.size ? IDLE_MS : ANSWER_MS)
      progress.sent(bytes)
      done(null, chunk)
    },
  })
  const source = createReadStream(file.path, { end: file.size - 1, highWaterMark: 256 * 1024 })
  const body = addAbortSignal(limit.signal, meter)
  source.on('error', (error) => body.destroy(error))
  try {
    await client.putFileContents(path, source.pipe(body), {
      headers: { 'Content-Length': String(file.size) },
      signal: limit.signal,
    })
  } finally {
    source.destroy()
    body.destroy()
  }
}

/** Makes the last part of the configured path if it is missing; the rest is the owner's. */
async function makeFolder(client: WebDAVClient, signal: AbortSignal): Promise<void> {
  if (await ignoreMissing(client.stat('/', { signal, details: false }))) return
  try {
    await client.createDirectory('/', { signal })
  } catch (error) {
    // RFC 4918, section 9.3.1: 409 where the folder above is missing; 405 where somebody was quicker.
    if (statusOf(error) === 405) return
    if (statusOf(error) !== 409 && statusOf(error) !== 404) throw error
    throw new LocationFailure({
      reason: 'The folder of the address does not exist and cannot be made.',
      temporary: false,
    })
  }
}

async function sizeOf(client: WebDAVClient, path: string, signal: AbortSignal): Promise<number | undefined> {
  const found = await ignoreMissing(client.stat(path, { signal, details: false }))
  return found && 'size' in found ? found.size : undefined
}

async function remove(client: WebDAVClient, path: string, signal: AbortSignal): Promise<void> {
  await ignoreMissing(client.deleteFile(path, { signal }))
}

async function ignoreMissing<Result>(answer: Promise<Result>): Promise<Result | undefined> {
  try {
    return await answer
  } catch (error) {
    if (statusOf(error) === 404) return undefined
    throw error
  }
}

function diagnose(error: unknown): Failure | undefined {
  // Of node-fetch, which cannot send a stream a second time.
  if (error instanceof Error && 'type' in error && error.type === 'unsupported-redirect') return REDIRECTED
  if (!isWebdavError(error) || error.status === undefined) return undefined
  if (error.status === 405) return { reason: 'There is no WebDAV server at that address (HTTP 405).', temporary: false }
  return statusFailure(error.status, error.response?.headers.get('retry-after'))
}

function statusOf(error: unknown): number | undefined {
  return isWebdavError(error) ? error.status : undefined
}

function isWebdavError(error: unknown): error is WebDAVClientError {
  return error instanceof Error && 'status' in error && typeof error.status === 'number'
}
