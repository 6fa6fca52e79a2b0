import { onlineManager } from '@tanstack/react-query'
import { ApiError } from 'pentad/admin/api/error.ts'
import { change, read } from 'pentad/admin/api/rest.ts'
import { __ } from 'pentad/admin/i18n.ts'
import { pageData } from 'pentad/admin/page-data.ts'
import type { Category, Progress } from './types.ts'

/** Storage of the restore tokens while a restore runs, so that a reload of this tab continues it. */
const STORAGE_KEY = 'pentad-restore'
const EVERY = 1000
/** Consecutive attempts without a response: a large site takes time to open. */
const TRIES = 300

interface StoredRestore {
  readonly jobId: string
  readonly backupId: string
  readonly progressToken: string
  readonly reloginToken: string
  /** Id of the backup that was created before, with which the restore can be undone. */
  readonly safetyBackup?: string | undefined
}

/** The restore started in this tab; `undefined` if there is none for that backup. */
export function storedRestore(backupId: string): StoredRestore | undefined {
  const text = sessionStorage.getItem(STORAGE_KEY)
  if (text === null) return undefined
  const stored: StoredRestore = JSON.parse(text)
  return stored.backupId === backupId ? stored : undefined
}

export function clearStoredRestore(): void {
  sessionStorage.removeItem(STORAGE_KEY)
  onlineManager.setOnline(true)
}

/**
 * Backs up the current site before a restore, on this server, so that the restore can be undone.
 *
 * @param onProgress receives the progress
 * @returns id of the backup
 * @throws ApiError, or Error if the backup fails or is canceled
 */
export async function backUpBeforeRestore(backupId: string, onProgress: (progress: Progress) => void): Promise<string> {
  const { jobId } = await change<{ jobId: string }>('POST', 'backup/v1/backup/create', {
    title: __('Before a restore', 'pentad'),
    location: 'local',
    beforeRestoring: backupId,
  })
  for (;;) {
    const progress = await read<Progress>('backup/v1/backup/progress', { jobId })
    onProgress(progress)
    if (progress.state === 'complete') return jobId
    if (progress.state !== 'running') {
      throw new Error(progress.error?.message ?? __('The backup was canceled. The site was not changed.', 'pentad'))
    }
    await new Promise((resolve) => setTimeout(resolve, EVERY))
  }
}

/** @param options.trustCode whether its extensions and themes may run although this site did not sign the backup */
export async function startRestore(
  backupId: string,
  options: {
    readonly parts: readonly Category[]
    readonly trustCode: boolean
    readonly safetyBackup: string | undefined
  },
): Promise<StoredRestore> {
  const { safetyBackup, ...choice } = options
  const body = { backupId, ...choice }
  const started = await change<Omit<StoredRestore, 'backupId'>>('POST', 'backup/v1/restore/start', body)
  const stored = { ...started, backupId, safetyBackup }
  sessionStorage.setItem(STORAGE_KEY, JSON.stringify(stored))
  return stored
}

/**
 * Follows a restore to its end. Its token grants access to the progress even when the old user accounts no longer exist;
 * while the site is replaced, there are no responses.
 *
 * @param onProgress receives the progress; `null` while the site is being replaced
 */
export async function followRestore(
  { jobId, progressToken }: StoredRestore,
  onProgress: (progress: Progress | null) => void,
  signal: AbortSignal,
): Promise<Progress> {
  // Sessions end during the restore: all other requests of the admin wait.
  onlineManager.setOnline(false)
  let failures = 0
  for (;;) {
    signal.throwIfAborted()
    const progress = await ask(`backup/v1/backup/progress?jobId=${jobId}`, {
      headers: { 'X-Restore-Token': progressToken },
      credentials: 'omit',
      signal,
    })
    if (progress === undefined) {
      if (++failures > TRIES)
        throw new ApiError('no_answer', __('The site did not come back online. Check the server log.', 'pentad'))
      onProgress(null)
    } else {
      failures = 0
      onProgress(progress)
      if (progress.state !== 'running') return progress
    }
    await new Promise((resolve) => setTimeout(resolve, EVERY))
  }
}

/** `undefined` while the site is offline. */
async function ask(route: string, init: RequestInit): Promise<Progress | undefined> {
  let response: Response
  try {
    response = await fetch(pageData.restUrl + route, { cache: 'no-store', ...init })
  } catch (error) {
    if (init.signal?.aborted) throw error
    return undefined
  }
  if (response.status >= 500) return undefined
  if (!response.ok) throw await ApiError.of(response)
  const { data }: { data: Progress } = await response.json()
  return data
}

/** Exchanges the token for a session on the restored site, so that the user need not log in. */
export async function signInToRestored({ reloginToken }: StoredRestore): Promise<void> {
  const response = await fetch(`${pageData.restUrl}backup/v1/restore/relogin`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ token: reloginToken }),
  })
  if (!response.ok) throw await ApiError.of(response)
}
