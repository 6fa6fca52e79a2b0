import { open, readFile, rm, stat, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { describeUnusedUrl, requestPublic } from '../../http/public-request.ts'

/** Bytes of one file. */
const MOST_BYTES = 2 * 1024 ** 3
/** Time limits without a byte, and for one attempt in total, in ms. */
const PATIENCE = 30_000
const LONGEST = 60 * 60_000

export interface Resumable {
  readonly isTrusted?: ((url: URL) => boolean) | undefined
  readonly signal: AbortSignal
  /** Milliseconds without a byte after which an attempt ends. Default: 30 seconds. */
  readonly patience?: number
  /** Bytes received in this attempt. */
  onBytes(count: number): void
}

/** An error for which a retry is useless. */
export class PermanentFailure extends Error {}

/**
 * Downloads a file from a public address, resuming a partial download if the server supports it (RFC 9110, section 14). A file next to it
 * stores the validator for that.
 * @throws PermanentFailure if a retry is useless; any other Error if it is not
 */
export async function fetchResumable(url: string, path: string, request: Resumable): Promise<void> {
  const idle = new AbortController()
  const { patience = PATIENCE } = request
  const timer = setTimeout(() => idle.abort(), patience)
  const late = AbortSignal.timeout(LONGEST)
  const signal = AbortSignal.any([request.signal, idle.signal, late])
  const version = await readFile(versionPath(path), 'utf8').catch(() => '')
  const has = version === '' ? 0 : await sizeOf(path)
  const headers = has > 0 ? { Range: `bytes=${has}-`, 'If-Range': version } : {}
  try {
    const { url: at, response } = await requestPublic(url, {
      headers,
      allowsHttp: true,
      allowsAnyPort: true,
      ...request,
      signal,
    })
    try {
      const isRest = response.statusCode === 206 && startOf(response) === has && has > 0
      if (!isRest) await rm(path, { force: true })
      if (!isRest && response.statusCode !== 200) throw errorOf(at, response)
      await writeFile(versionPath(path), versionOf(response))
      await append(path, response, isRest ? has : 0, {
        at,
        onBytes(count) {
          timer.refresh()
          request.onBytes(count)
        },
      })
    } finally {
      response.destroy()
    }
  } catch (error) {
    if (request.signal.aborted) throw error
    const because = (reason: string) => new Error(describeUnusedUrl(new URL(url), reason), { cause: error })
    if (idle.signal.aborted) throw because(`no data was received for ${patience / 1000} seconds`)
    if (late.aborted) throw because(`it took longer than ${LONGEST / 60_000} minutes`)
    throw isCutOff(error) ? because('the connection was closed before the download was complete') : error
  } finally {
    clearTimeout(timer)
  }
}

function isCutOff(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'].includes(String(error.code))
  )
}

/** Of a path to which a file is fetched. */
export async function removeResumable(path: string): Promise<void> {
  await Promise.all([rm(path, { force: true }), rm(versionPath(path), { force: true })])
}

function versionPath(path: string): string {
  return `${path}.version`
}

/** A validator for `If-Range`, which must be strong. */
function versionOf({ headers }: IncomingMessage): string {
  const { etag, 'last-modified': date } = headers
  return etag !== undefined && !etag.startsWith('W/') ? etag : (date ?? '')
}

async function append(
  path: string,
  response: IncomingMessage,
  has: number,
  { at, onBytes }: { at: URL; onBytes(count: number): void },
): Promise<void> {
  if ((response.headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new PermanentFailure(describeUnusedUrl(at, 'it is compressed'))
  await using file = await open(path, has > 0 ? 'a' : 'w')
  let size = has
  for await (const chunk of response) {
    size += chunk.length
    if (size > MOST_BYTES) throw new PermanentFailure(describeUnusedUrl(at, `it is larger than ${MOST_BYTES} bytes`))
    await file.write(chunk)
    onBytes(chunk.length)
  }
}

function startOf({ headers }: IncomingMessage): number {
  return Number(/^bytes (\d+)-/.exec(headers['content-range'] ?? '')?.[1] ?? Number.NaN)
}

function errorOf(url: URL, { statusCode = 0 }: IncomingMessage): Error {
  const message = describeUnusedUrl(url, `the server responded with status ${statusCode}`)
  const isPassing = statusCode >= 500 || [206, 408, 416, 425, 429].includes(statusCode)
  return isPassing ? new Error(message) : new PermanentFailure(message)
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.size ?? 0
}
