import { useSyncExternalStore } from 'react'
import { ApiError, messageOf } from '../../api/error.ts'
import { invalidate, queryClient } from '../../api/query.ts'
import { MEDIA, type MediaItem } from './media-item.ts'
import { uploadFile } from './upload-file.ts'

/** An upload. Uploads continue while other screens are open. */
export interface Upload {
  readonly id: number
  /** The files that were chosen together have the same number. */
  readonly batch: number
  readonly file: File
  readonly percent: number
  readonly state: 'waiting' | 'sending' | 'done' | 'failed'
  readonly error?: string
  /** Can be retried: the file itself is valid. */
  readonly mayRetry?: boolean
  readonly item?: MediaItem
}

let uploads: readonly Upload[] = []
let nextId = 1
let nextBatch = 1
const listeners = new Set<() => void>()
/** Callbacks by upload number. */
const callbacks = new Map<number, (item: MediaItem) => void>()

function change(next: readonly Upload[]): void {
  uploads = next
  for (const listener of listeners) listener()
}

const edit = (id: number, changes: Partial<Upload>) =>
  change(uploads.map((upload) => (upload.id === id ? { ...upload, ...changes } : upload)))

/** @param onDone called for each uploaded file, with its place among the chosen ones */
export function startUploads(files: readonly File[], onDone?: (item: MediaItem, place: number) => void): void {
  const batch = nextBatch++
  const added = files.map((file): Upload => ({ id: nextId++, batch, file, percent: 0, state: 'waiting' }))
  if (onDone) for (const [place, { id }] of added.entries()) callbacks.set(id, (item) => onDone(item, place))
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

/**
 * Sends one file at a time, of those that were chosen together the last one first: the library lists the newest file first, so that they
 * are listed in the order in which they were chosen.
 */
function proceed(): void {
  if (uploads.some(({ state }) => state === 'sending')) return
  const waiting = uploads.filter(({ state }) => state === 'waiting')
  const next = waiting.findLast(({ batch }) => batch === waiting[0]?.batch)
  if (!next) return
  const { id, file } = next
  edit(id, { state: 'sending' })
  void uploadFile(file, (percent) => edit(id, { percent }))
    .then(
      (item) => {
        edit(id, { state: 'done', percent: 100, item })
        callbacks.get(id)?.(item)
        callbacks.delete(id)
        void invalidate(queryClient, [MEDIA, 'host/v1/post-counts'])
      },
      (error: unknown) =>
        edit(id, {
          ...{ state: 'failed', error: messageOf(error) },
          mayRetry: !(error instanceof ApiError) || error.status < 400 || error.status >= 429,
        }),
    )
    .finally(proceed)
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
