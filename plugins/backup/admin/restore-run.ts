import { onlineManager } from '@tanstack/react-query'
import { ApiError } from 'pentad/admin/api/error.ts'
import { change } from 'pentad/admin/api/rest.ts'
import { __ } from 'pentad/admin/i18n.ts'
import { pageData } from 'pentad/admin/page-data.ts'
import type { Category, Progress } from './types.ts'

/** Where the tokens of a restore lie while it runs, so that a reload of this tab goes on with it. */
const KEPT = 'pentad-restore'
const EVERY = 1000
/** Tries in a row without an answer: a large site takes its time to open. */
const TRIES = 300

interface Kept {
  readonly jobId: string
  readonly backupId: string
  readonly progressToken: string
  readonly reloginToken: string
}

/** The restore that this tab began; `undefined` if there is none for that backup. */
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

/** @param options.trustCode whether its extensions and themes may run though this site did not sign the backup */
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
 * Follows a restore to its end. Its token opens the progress also when no account of before is there any more; while the
 * site is replaced nothing answers.
 *
 * @param told how it stands; `null` while the site is being replaced
 */
export async function followRestore(
  { jobId, progressToken }: Kept,
  told: (progress: Progress | null) => void,
  signal: AbortSignal,
): Promise<Progress> {
  // Sessions end on the way: everything else of the admin waits.
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

/** `undefined` while the site is closed. */
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

/** Trades the token for a session on the restored site, so that nobody has to type a password. */
export async function signInToRestored({ reloginToken }: Kept): Promise<void> {
  const response = await fetch(`${pageData.restUrl}backup/v1/restore/relogin`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ token: reloginToken }),
  })
  if (!response.ok) throw await ApiError.of(response)
}
