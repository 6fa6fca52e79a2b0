import { __ } from '@wordpress/i18n'
import { ApiError } from '../../api/error.ts'
import { invalidate, queryClient } from '../../api/query.ts'
import { change, read } from '../../api/rest.ts'
import { notifyDone } from '../../parts/notify.ts'
import type { WaitingUpload } from './types.ts'

/** Tries of a chunk while the connection is away, seconds between them doubling up to half a minute. */
const TRIES = 10
const LONGEST_WAIT = 30_000

export interface Upload {
  readonly file: File
  readonly phase: 'sending' | 'waiting' | 'paused' | 'checking' | 'failed'
  /** Bytes that have arrived. */
  readonly sent: number
  readonly error?: Error
}

/** Outside of any screen: it goes on while somebody looks at another one. */
let current: Upload | undefined
let uploadId: string | undefined
let stopping = new AbortController()
const listeners = new Set<() => void>()

export const currentUpload = (): Upload | undefined => current

export function onUpload(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function show(upload: Upload | undefined): void {
  current = upload
  for (const listener of listeners) listener()
}

/** Sends an archive, from where an earlier try of the same file got to, also one before the page was loaded anew. */
export async function startUpload(file: File): Promise<void> {
  stopping = new AbortController()
  const { signal } = stopping
  show({ file, phase: 'sending', sent: 0 })
  try {
    const { id, chunkSize, missing } = await sessionFor(file)
    uploadId = id
    await sendChunks(file, { id, chunkSize, missing, signal })
    uploadId = undefined
    show(undefined)
    notifyDone(__('The archive was checked and is in the list now.', 'pentad'))
  } catch (error) {
    if (signal.aborted) return
    show({ file, phase: 'failed', sent: current?.sent ?? 0, error: error instanceof Error ? error : undefined })
  } finally {
    await invalidate(queryClient, ['backup/v1/backup'])
  }
}

export function pauseUpload(): void {
  stopping.abort()
  if (current) show({ ...current, phase: 'paused' })
}

/** Ends it, and has the server forget what has come. */
export async function cancelUpload(): Promise<void> {
  stopping.abort()
  const id = uploadId
  uploadId = undefined
  show(undefined)
  if (id !== undefined) await change('DELETE', 'backup/v1/backup/upload/remove', { uploadId: id }).catch(() => {})
  await invalidate(queryClient, ['backup/v1/backup/upload'])
}

interface Session {
  readonly id: string
  readonly chunkSize: number
  readonly missing: readonly number[]
}

/** The one that was begun for a file of that name and size, else a new one. */
async function sessionFor({ name, size }: File): Promise<Session> {
  const { items } = await read<{ items: readonly WaitingUpload[] }>('backup/v1/backup/upload/fetch')
  const begun = items.find((item) => item.fileName === name && item.size === size)
  if (begun) return { id: begun.uploadId, chunkSize: begun.chunkSize, missing: begun.missing.flatMap(numbersOf) }
  const made = await change<{ uploadId: string; chunkSize: number }>('POST', 'backup/v1/backup/upload/init', {
    fileName: name,
    size,
  })
  const last = Math.ceil(size / made.chunkSize) - 1
  return { id: made.uploadId, chunkSize: made.chunkSize, missing: numbersOf([0, last]) }
}

function numbersOf([first, last]: readonly [number, number]): number[] {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at)
}

async function sendChunks(
  file: File,
  { id, chunkSize, missing, signal }: Session & { readonly signal: AbortSignal },
): Promise<void> {
  const chunkOf = (index: number) => file.slice(index * chunkSize, (index + 1) * chunkSize)
  let sent = file.size - missing.reduce((sum, index) => sum + chunkOf(index).size, 0)
  for (const [at, index] of missing.entries()) {
    // With the last one, the server puts the archive together and reads all of it.
    show({ file, sent, phase: at === missing.length - 1 ? 'checking' : 'sending' })
    await sendChunk(chunkOf(index), { id, index, signal, file, sent })
    sent += chunkOf(index).size
  }
}

async function sendChunk(
  chunk: Blob,
  { id, index, signal, file, sent }: { id: string; index: number; signal: AbortSignal; file: File; sent: number },
): Promise<void> {
  const query = { uploadId: id, index, sha256: await sumOf(chunk) }
  for (let tries = 1; ; tries++) {
    signal.throwIfAborted()
    try {
      await change('POST', 'backup/v1/backup/upload/chunk', undefined, {
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

const mayPass = ({ status, params }: ApiError) => status === 0 || status >= 502 || 'sha256' in params

/** Only where the browser offers it: by `https` or on this machine. */
async function sumOf(chunk: Blob): Promise<string | undefined> {
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
