import './hooks.ts'
import { existsSync } from 'node:fs'
import { type ExtensionHost, RestError, RestResponse, success, successSchema } from 'pentad'
import { z } from 'zod'
import type { ArchiveLocations } from '../archive-source.ts'
import { categoriesSchema } from '../categories.ts'
import { dispatchSafely } from '../dispatch-safely.ts'
import { createExclusion } from '../exclusion.ts'
import type { JobLogs } from '../job-log.ts'
import type { BackupParts } from '../parts.ts'
import type { Records } from '../records.ts'
import type { Category, RestoreJobs } from '../types.ts'
import { createRateLimit } from './rate-limit.ts'
import { createRestores, interrupted, jobOf } from './restores.ts'
import { type RestoreState, toProgress } from './state.ts'
import { createRestoreTokens, issuedShape } from './tokens.ts'

/** @throws RestError 403 `file_mods_disallowed` */
function rejectCode(parts: readonly Category[]): void {
  if (!parts.includes('extensions') && !parts.includes('themes')) return
  const message =
    'Extensions and themes cannot be restored here because PENTAD_DISALLOW_FILE_MODS is set. Restore only the other contents, or use the pentad command on the server.'
  throw new RestError('file_mods_disallowed', message, { status: 403 })
}

/** Milliseconds after which other nodes, which do not have the files, run the ticks; these and their retries fail. */
const LOST = 300_000

export interface RestoreParts {
  readonly records: Pick<Records, 'get'>
  readonly logs: JobLogs
  readonly locations: ArchiveLocations
  readonly settings: Pick<BackupParts['settings'], 'get'>
  /** Starts a job exclusively. @throws RestError 409 `job_running` if a backup or restore is in progress */
  begin<Result>(work: () => Promise<Result>): Promise<Result>
}

/**
 * Registers `POST /restore/start`, `POST /restore/relogin` and their job. Completes a restore whose replacement was
 * performed when the site started.
 */
export async function registerRestore(
  host: ExtensionHost,
  { records, logs, locations, settings, begin }: RestoreParts,
): Promise<RestoreJobs> {
  const { auth, hooks, jobs, rest } = host
  const restores = createRestores(host.site, {
    logs,
    locations,
    exclusion: () =>
      createExclusion(settings.get().excludePatterns, (exclude, path) =>
        hooks.applyFilters('backup_exclude_path', exclude, path),
      ),
  })
  const notifyListeners = () =>
    restores.notify({
      completed: (job) => dispatchSafely(host.log, () => hooks.doActionAsync('restore_completed', job)),
      failed: (job, error) => dispatchSafely(host.log, () => hooks.doActionAsync('restore_failed', job, error)),
    })
  const { states } = restores
  const tokens = createRestoreTokens(states)
  const attempts = createRateLimit()
  host.onDispose(() => restores.close())

  const { job } = jobs.define({
    type: 'restore',
    data: z.object({ id: z.string() }),
    async tick({ data, signal }) {
      const state = await restores.tick(data.id, signal)
      if (!state) throw interrupted()
      if (state.state !== 'running') {
        await notifyListeners()
        return { done: true, message: state.message }
      }
      const isWaiting = state.failures > 0 || host.site.lastReplacement()?.id === data.id
      return { done: false, data, percent: state.percent, message: state.message, delayMs: isWaiting ? 2000 : 0 }
    },
    runsHere: ({ id }, idle) => existsSync(states.folderOf(id)) || idle > LOST,
    cancelled: ({ id }) => restores.clearUp(id),
  })

  async function running(): Promise<RestoreState | undefined> {
    const found = (await states.list()).find(({ state }) => state === 'running')
    if (!found) return undefined
    const known = await jobs.get((await states.hostJob(found.id)) ?? '')
    // The host gave up the job, or crashed before starting it.
    const isLost = known?.state !== 'running' && Date.now() - Date.parse(found.updatedAt) > 60_000
    if (isLost && host.site.lastReplacement()?.id !== found.id) {
      await restores.abandon(found.id)
      return undefined
    }
    return found
  }

  rest.registerRoute('backup/v1', {
    method: 'POST',
    path: '/restore/start',
    access: 'manage_options',
    summary:
      'Restores the site from a backup in the background. Once the site has been replaced, the only way to undo this is to restore another backup.',
    input: z.object({
      backupId: z.string().max(64),
      // Unlike elsewhere, strings are not converted to lists: an empty string would mean everything.
      parts: z
        .unknown()
        .pipe(categoriesSchema)
        .optional()
        .describe('Parts to restore. Defaults to all parts of the backup.'),
      trustCode: z
        .boolean()
        .default(false)
        .describe('Whether extensions and themes may run even if this site did not sign the backup.'),
    }),
    response: successSchema(issuedShape.extend({ jobId: z.string() })),
    handler: async ({ input, user, identity }) => {
      await auth.requireConfirmation(identity)
      const record = await records.get(input.backupId)
      const parts = input.parts?.length ? input.parts : undefined
      if (host.site.disallowFileMods) rejectCode(parts ?? record.contents)
      const missing = parts?.filter((part) => !record.contents.includes(part)) ?? []
      if (missing.length > 0) {
        const message = `The backup does not contain: ${missing.join(', ')}.`
        throw new RestError('rest_invalid_param', message, { status: 400, params: { parts: message } })
      }
      return begin(async () => {
        const { location, fileName, size } = record
        const source = { location, fileName, size }
        const state = await restores.create({
          ...{ backupId: record.id, source, parts: parts ?? null, trustCode: input.trustCode },
        })
        const issued = await tokens.issue(state.id, user?.login ?? '')
        try {
          await hooks.doActionAsync('restore_started', { ...jobOf(state), parts: parts ?? record.contents })
        } catch (error) {
          // Rejected by an extension: remove the restore.
          if (await restores.cancel(state.id)) await restores.clearUp(state.id)
          throw error
        }
        const { id: hostJob } = await job.start({ id: state.id })
        await states.saveHostJob(state.id, hostJob)
        return new RestResponse(success({ jobId: state.id, ...issued }), { status: 202 })
      })
    },
  })

  rest.registerRoute('backup/v1', {
    method: 'POST',
    path: '/restore/relogin',
    access: 'public',
    summary: 'Exchanges the single-use token of a restore for a session on the restored site.',
    input: z.object({ token: z.string().min(1).max(200) }),
    response: successSchema(z.object({ user: z.object({ id: z.int(), name: z.string() }), nonce: z.string() })),
    batch: false,
    handler: async ({ input, clientAddress, headers }) => {
      attempts.count(clientAddress)
      const login = await tokens.redeem(input.token)
      const user = login === undefined ? undefined : await auth.users.getByLogin(login)
      if (!user || !(await auth.can(user, 'manage_options'))) {
        throw new RestError(
          'invalid_relogin_token',
          'The token is not valid or has expired. Log in with your password.',
          { status: 403 },
        )
      }
      // Its password is not confirmed: the account is that of the backup, and the browser stores the token where scripts can read it.
      const signedIn = await auth.startSession(user, { address: clientAddress, userAgent: headers['user-agent'] ?? '' })
      const nonce = auth.createNonce('wp_rest', signedIn)
      const body = success({ user: { id: user.id, name: user.displayName }, nonce })
      return new RestResponse(body, { headers: { 'Set-Cookie': auth.sessionCookie(signedIn) } })
    },
  })

  await restores.settle()
  // Before `init`, not all extensions have added their listeners.
  if (hooks.didAction('init') > 0) await notifyListeners()
  else hooks.addAction('init', notifyListeners)

  return {
    async progress(jobId) {
      const state = await states.read(jobId)
      if (!state) return undefined
      const hostJob = await states.hostJob(jobId)
      if (state.state === 'running' && hostJob !== undefined) await jobs.advance(hostJob)
      return toProgress((await states.read(jobId)) ?? state)
    },
    async cancel(jobId) {
      if (!(await states.read(jobId))) return false
      if (!(await restores.cancel(jobId))) {
        const message = 'The restore cannot be canceled: it has ended, or the site is already being replaced.'
        throw new RestError('job_not_running', message, { status: 409 })
      }
      // A restore from the command line cleans up after itself.
      const hostJob = await states.hostJob(jobId)
      if (hostJob !== undefined) await jobs.cancel(hostJob)
      return true
    },
    running: async () => (await running())?.id,
    async restoring(backupId) {
      const state = await running()
      return state?.backupId === backupId ? state.id : undefined
    },
    sweep: restores.sweep,
    jobOfToken: tokens.jobOf,
  }
}
