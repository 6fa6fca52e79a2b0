import { onlineManager } from '@tanstack/react-query'
import { ApiError } from 'pentad/admin/api/error.ts'
import { change } from 'pentad/admin/api/rest.ts'
import { __ } from 'pentad/admin/i18n.ts'
import { pageData } from 'pentad/admin/page-data.ts'
import type { Category, Progress } from './types.ts'

/** Storage of the restore tokens while a restore runs, so that a reload of this tab continues it. */
const KEPT = 'pentad-restore'
const EVERY = 1000
/** Consecutive attempts without a response: a large site takes time to open. */
const TRIES = 300

interface Kept {
  readonly jobId: string
  readonly backupId: string
  readonly progressToken: string
  readonly reloginToken: string
}

/** The restore started in this tab; `undefined` if there is none for that backup. */
export function keptRestore(backupId: string): Kept | undefined {
  const text = sessionStorage.getItem(KEPT)
  if (text === null) return undefined
  const kept: Kept = JSON.parse(text)
  return kept.backupId === backupId ? kept : undefined
}

export function forgetRestore(): void {
  sessionStorage.removeItem(KEPT)
  onlineManager.setOnline(true)
}

/** @param options.trustCode whether its extensions and themes may run although this site did not sign the backup */
export async function beginRestore(
  backupId: string,
  { parts, trustCode }: { readonly parts: readonly Category[]; readonly trustCode: boolean },
): Promise<Kept> {
  const body = { backupId, parts, trustCode }
  const started = await change<Omit<Kept, 'backupId'>>('POST', 'backup/v1/restore/start', body)
  const kept = { ...started, backupId }
  sessionStorage.setItem(KEPT, JSON.stringify(kept))
  return kept
}

/**
 * Follows a restore to its end. Its token grants access to the progress even when the old user accounts no longer exist;
 * while the site is replaced, there are no responses.
 *
 * @param told receives the progress; `null` while the site is being replaced
 */
export async function followRestore(
  { jobId, progressToken }: Kept,
  told: (progress: Progress | null) => void,
  signal: AbortSignal,
): Promise<Progress> {
  // Sessions end during the restore: all other requests of the admin wait.
  onlineManager.setOnline(false)
  let unanswered = 0
  for (;;) {
    signal.throwIfAborted()
    const progress = await ask(`backup/v1/backup/progress?jobId=${jobId}`, {
      headers: { 'X-Restore-Token': progressToken },
      credentials: 'omit',
      signal,
    })
    if (progress === undefined) {
      if (++unanswered > TRIES)
        throw new ApiError('no_answer', __('The site did not come back online. Check the server log.', 'pentad'))
      told(null)
    } else {
      unanswered = 0
      told(progress)
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
export async function signInToRestored({ reloginToken }: Kept): Promise<void> {
  const response = await fetch(`${pageData.restUrl}backup/v1/restore/relogin`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ token: reloginToken }),
  })
  if (!response.ok) throw await ApiError.of(response)
}
