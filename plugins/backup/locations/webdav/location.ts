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

/** Maximum idle time, and time for the response once all bytes are sent (some servers scan or copy first), in ms. */
const IDLE_MS = 60_000
const RESPONSE_MS = 10 * 60_000

/**
 * A folder on a WebDAV server (RFC 4918). The protocol cannot resume an upload, so an interrupted PUT starts over.
 * Files are uploaded under a temporary name and published by MOVE once the size matches.
 *
 * The address may be private: only owners (`manage_options`) can set it, and their storage is often on the same
 * network. Redirects to other hosts are not followed. Certificates are verified.
 */
export async function createWebdavLocation(settings: WebdavSettings, firstDelayMs: number): Promise<BackupLocation> {
  const { createClient, AuthType } = await import('webdav')
  const agents = createAgents(settings.webdavUrl, RESPONSE_MS)
  const client = createClient(settings.webdavUrl, {
    ...agents,
    // Basic first, Digest if the server requires it.
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
            throw new LocationFailure({
              reason: 'The test file does not have the content that was written.',
              temporary: false,
            })
          }
        } finally {
          await remove(client, path, signal)
        }
      }),
    upload: (file, progress) =>
      withRetries(retry, progress.signal, async () => {
        const target = place(file.name)
        // First, so that authentication is negotiated before the archive is sent.
        await makeFolder(client, progress.signal)
        const partial = target + PARTIAL
        if ((await sizeOf(client, target, progress.signal)) !== file.size) {
          await send(client, file, partial, progress)
          const size = await sizeOf(client, partial, progress.signal)
          if (size !== file.size) {
            throw new LocationFailure({
              reason: `The server stored only ${size ?? 0} of ${file.size} bytes.`,
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
        // Not the library's `createReadStream`, which hangs when the connection is lost.
        const response = await client.customRequest(place(name), {
          method: 'GET',
          signal,
          headers: part ? { Range: `bytes=${part.start}-${part.end ?? ''}` } : {},
        })
        const body = 'body' in response ? response.body : undefined
        if (!(body instanceof Readable)) throw new TypeError('The WebDAV library did not return a Node stream.')
        if (part && response.status !== 206) {
          body.destroy()
          throw new LocationFailure({ reason: 'The server did not return the requested range.', temporary: false })
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

/** One PUT with `Content-Length`: servers behind nginx, among others, reject chunked bodies. */
async function send(client: WebDAVClient, file: UploadedFile, path: string, progress: UploadProgress): Promise<void> {
  using limit = idleLimit(progress.signal, IDLE_MS)
  let bytes = 0
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      limit.extend(bytes < file.size ? IDLE_MS : RESPONSE_MS)
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

/** Creates the last folder of the configured path if it is missing. Parent folders must exist. */
async function makeFolder(client: WebDAVClient, signal: AbortSignal): Promise<void> {
  if (await ignoreMissing(client.stat('/', { signal, details: false }))) return
  try {
    await client.createDirectory('/', { signal })
  } catch (error) {
    // RFC 4918, section 9.3.1: 409 if the parent folder is missing; 405 if it was created concurrently.
    if (statusOf(error) === 405) return
    if (statusOf(error) !== 409 && statusOf(error) !== 404) throw error
    throw new LocationFailure({
      reason: 'The folder does not exist and could not be created.',
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

async function ignoreMissing<Result>(response: Promise<Result>): Promise<Result | undefined> {
  try {
    return await response
  } catch (error) {
    if (statusOf(error) === 404) return undefined
    throw error
  }
}

function diagnose(error: unknown): Failure | undefined {
  // An error of node-fetch, which cannot resend a stream.
  if (error instanceof Error && 'type' in error && error.type === 'unsupported-redirect') return REDIRECTED
  if (!isWebdavError(error) || error.status === undefined) return undefined
  if (error.status === 405) return { reason: 'There is no WebDAV server at this address (HTTP 405).', temporary: false }
  return statusFailure(error.status, error.response?.headers.get('retry-after'))
}

function statusOf(error: unknown): number | undefined {
  return isWebdavError(error) ? error.status : undefined
}

function isWebdavError(error: unknown): error is WebDAVClientError {
  return error instanceof Error && 'status' in error && typeof error.status === 'number'
}
