import { useSyncExternalStore } from 'react'
import { ApiError, messageOf } from '../../api/error.ts'
import { invalidate, queryClient } from '../../api/query.ts'
import { MEDIA, type MediaItem } from './media-item.ts'
import { uploadFile } from './upload-file.ts'

/** An upload. Uploads continue while other screens are open. */
export interface Upload {
  readonly id: number
  readonly file: File
  readonly percent: number
  readonly state: 'waiting' | 'sending' | 'done' | 'failed'
  readonly error?: string
  /** Can be retried: the file itself is valid. */
  readonly mayRetry?: boolean
  readonly item?: MediaItem
}

/** The server processes two images at a time. */
const AT_ONCE = 2

let uploads: readonly Upload[] = []
let nextId = 1
const listeners = new Set<() => void>()
/** Callbacks by upload number. */
const waiting = new Map<number, (item: MediaItem) => void>()

function change(next: readonly Upload[]): void {
  uploads = next
  for (const listener of listeners) listener()
}

const edit = (id: number, changes: Partial<Upload>) =>
  change(uploads.map((upload) => (upload.id === id ? { ...upload, ...changes } : upload)))

/** @param onDone called for each uploaded file */
export function startUploads(files: readonly File[], onDone?: (item: MediaItem) => void): void {
  const added = files.map((file): Upload => ({ id: nextId++, file, percent: 0, state: 'waiting' }))
  if (onDone) for (const { id } of added) waiting.set(id, onDone)
  change([...uploads, ...added])
  proceed()
}

export function retryUpload(id: number): void {
  edit(id, { state: 'waiting', percent: 0, error: '' })
  proceed()
}

/** Removes uploads that are done or have failed. */
export function clearUploads(): void {
  change(uploads.filter(({ state }) => state === 'waiting' || state === 'sending'))
}

/** Removes uploads that are done: those that failed can still be retried. */
export function clearDoneUploads(): void {
  change(uploads.filter(({ state }) => state !== 'done'))
}

function proceed(): void {
  const sending = uploads.filter(({ state }) => state === 'sending').length
  const next = uploads.filter(({ state }) => state === 'waiting').slice(0, AT_ONCE - sending)
  for (const { id, file } of next) {
    edit(id, { state: 'sending' })
    void uploadFile(file, (percent) => edit(id, { percent }))
      .then(
        async (item) => {
          edit(id, { state: 'done', percent: 100, item })
          waiting.get(id)?.(item)
          waiting.delete(id)
          await invalidate(queryClient, [MEDIA, 'host/v1/post-counts'])
        },
        (error: unknown) =>
          edit(id, {
            ...{ state: 'failed', error: messageOf(error) },
            mayRetry: !(error instanceof ApiError) || error.status < 400 || error.status >= 429,
          }),
      )
      .finally(proceed)
  }
}

export function useUploads(): readonly Upload[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => uploads,
  )
}
