import { ApiError } from './error.ts'
import type { Responses } from './responses.ts'
import { change, read } from './rest.ts'

/** Attempts per chunk while the connection is down; the delay between them doubles, up to 30 seconds. */
const TRIES = 10
const LONGEST_WAIT = 30_000

export interface Upload {
  readonly file: File
  readonly phase: 'sending' | 'waiting' | 'paused' | 'checking' | 'failed'
  /** Bytes received. */
  readonly sent: number
  readonly error?: Error
}

/** An upload in progress, as the server describes it. */
export type WaitingUpload = Responses['GET /host/v1/import/upload/fetch']['items'][number]

/**
 * Uploads one file at a time in chunks. It is independent of any screen: an upload continues while another screen is open.
 */
export interface Uploader {
  current(): Upload | undefined
  onChange(listener: () => void): () => void
  /**
   * Sends a file, resuming an earlier upload of the same file, also one from before a page reload.
   * Resolves to the id of the upload once it is complete; `undefined` if it was paused, canceled or failed.
   */
  start(file: File): Promise<string | undefined>
  pause(): void
  /** Stops the upload and deletes what the server has received. */
  cancel(): Promise<void>
}

/**
 * @param base - Path of the routes: `acme/v1/upload`
 * @param ended - Called when an upload has ended in any way.
 */
export function createUploader(base: string, ended: () => Promise<unknown>): Uploader {
  let current: Upload | undefined
  let uploadId: string | undefined
  let stopping = new AbortController()
  const listeners = new Set<() => void>()

  function show(upload: Upload | undefined): void {
    current = upload
    for (const listener of listeners) listener()
  }

  /** The unfinished upload of a file with that name and size, or a new one. */
  async function sessionFor({ name, size }: File): Promise<Session> {
    const { items } = await read<{ items: readonly WaitingUpload[] }>(`${base}/fetch`)
    const begun = items.find((item) => item.fileName === name && item.size === size)
    if (begun) return { id: begun.uploadId, chunkSize: begun.chunkSize, missing: begun.missing.flatMap(numbersOf) }
    const made = await change<{ uploadId: string; chunkSize: number }>('POST', `${base}/init`, { fileName: name, size })
    const last = Math.ceil(size / made.chunkSize) - 1
    return { id: made.uploadId, chunkSize: made.chunkSize, missing: numbersOf([0, last]) }
  }

  async function sendChunks(file: File, { id, chunkSize, missing }: Session, signal: AbortSignal): Promise<void> {
    const chunkOf = (index: number) => file.slice(index * chunkSize, (index + 1) * chunkSize)
    let sent = file.size - missing.reduce((sum, index) => sum + chunkOf(index).size, 0)
    for (const [at, index] of missing.entries()) {
      // With the last one, the server assembles the file and reads all of it.
      show({ file, sent, phase: at === missing.length - 1 ? 'checking' : 'sending' })
      await sendChunk(chunkOf(index), { id, index, signal, file, sent })
      sent += chunkOf(index).size
    }
  }

  async function sendChunk(
    chunk: Blob,
    { id, index, signal, file, sent }: { id: string; index: number; signal: AbortSignal; file: File; sent: number },
  ): Promise<void> {
    const query = { uploadId: id, index, sha256: await sha256Of(chunk) }
    for (let tries = 1; ; tries++) {
      signal.throwIfAborted()
      try {
        await change('POST', `${base}/chunk`, undefined, {
          ...{ query, signal, body: chunk },
          headers: { 'Content-Type': 'application/octet-stream' },
        })
        return
      } catch (error) {
        if (!(error instanceof ApiError) || !mayPass(error) || tries === TRIES) throw error
        show({ file, sent, phase: 'waiting' })
        await pause(Math.min(LONGEST_WAIT, 500 * 2 ** tries), signal)
      }
    }
  }

  return {
    current: () => current,
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async start(file) {
      stopping = new AbortController()
      const { signal } = stopping
      show({ file, phase: 'sending', sent: 0 })
      try {
        const session = await sessionFor(file)
        uploadId = session.id
        await sendChunks(file, session, signal)
        uploadId = undefined
        show(undefined)
        return session.id
      } catch (error) {
        if (!signal.aborted)
          show({ file, phase: 'failed', sent: current?.sent ?? 0, error: error instanceof Error ? error : undefined })
        return undefined
      } finally {
        await ended()
      }
    },
    pause() {
      stopping.abort()
      if (current) show({ ...current, phase: 'paused' })
    },
    async cancel() {
      stopping.abort()
      const id = uploadId
      uploadId = undefined
      show(undefined)
      if (id !== undefined) await change('DELETE', `${base}/remove`, { uploadId: id }).catch(() => {})
      await ended()
    },
  }
}

interface Session {
  readonly id: string
  readonly chunkSize: number
  readonly missing: readonly number[]
}

function numbersOf([first, last]: readonly [number, number]): number[] {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at)
}

const mayPass = ({ status, params }: ApiError) => status === 0 || status >= 502 || 'sha256' in params

/** Available only in a secure context: `https` or localhost. */
async function sha256Of(chunk: Blob): Promise<string | undefined> {
  if (!window.isSecureContext) return undefined
  const digest = await crypto.subtle.digest('SHA-256', await chunk.arrayBuffer())
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
