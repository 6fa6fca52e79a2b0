import { existsSync, readFileSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Command } from 'commander'
import { RestError } from 'pentad'
import { type ClosedSite, callRoute, closedSite, createProgress, type Site, withHost } from 'pentad/cli'
import { z } from 'zod'
import { openArchive } from '../archive/open.ts'
import { fileSource } from '../archive/source.ts'
import { categoriesSchema } from '../categories.ts'
import { createExclusion } from '../exclusion.ts'
import { createJobLogs } from '../job-log.ts'
import { createRestores } from '../restore/restores.ts'
import type { BackupRecord, Category, Progress } from '../types.ts'

const NEVER_ABORTED = new AbortController().signal
/** How long a running server has to put the restored site in place itself, in ms. */
const SERVER_TAKES_OVER = 3000

/** `pentad backup`: creates, lists, verifies and restores backups, with or without a running server. */
export function backupCommand(): Command {
  const command = new Command('backup').description('create, list, verify, and restore backups of the site')
  command
    .command('create')
    .description('create a backup and wait until it is complete')
    .option('--title <text>', 'title of the backup')
    .option('--exclude <parts...>', 'parts to exclude: database, uploads, themes, extensions, others')
    .option('--location <id>', 'where to store the archive: local, googleDrive, webdav, s3, sftp')
    .action(create)
  command.command('list').description('list backups, newest first').action(list)
  command
    .command('verify')
    .argument('<file>', 'archive (.tar.gz or .tar.zst)')
    .description('read an archive completely and verify every checksum')
    .action(verify)
  command
    .command('restore')
    .argument('<file>', 'archive (.tar.gz or .tar.zst)')
    .option('--parts <parts...>', 'restore only these parts: database, uploads, themes, extensions, others')
    .option('--trust-code', 'allow extensions and themes from an archive that this site did not sign')
    .description('restore the site from an archive; also works for an empty or broken site')
    .action(restore)
  return command
}

async function create(given: { title?: string; exclude?: string[]; location?: string }): Promise<void> {
  const { title, exclude = [], location } = given
  const body = { exclusions: exclude, ...(title && { title }), ...(location && { location }) }
  // A restore in progress finishes first and replaces the site, which must then be reopened.
  while (!(await withHost((host) => createIn(host, body))));
}

/** @returns `false` if the site is being replaced: nothing was started, and the site must be reopened */
async function createIn(host: Site, body: Record<string, unknown>): Promise<boolean> {
  const jobId = await begin(host, body)
  const progress = jobId === undefined ? undefined : await follow(host, jobId)
  if (!progress) return false
  for (const warning of progress.warnings) console.error(`warning: ${warning}`)
  if (progress.state !== 'complete')
    throw new Error(progress.error?.message ?? `The backup ended with state “${progress.state}”.`)
  console.log(`Backup ${jobId} created.`)
  return true
}

/** Starts a backup. Waits for a backup or restore that is already in progress. */
async function begin(host: Site, body: Record<string, unknown>): Promise<string | undefined> {
  for (;;) {
    try {
      return (await callRoute<{ jobId: string }>(host, 'POST', '/backup/v1/backup/create', body)).jobId
    } catch (error) {
      const isBusy = error instanceof RestError && error.code === 'job_running'
      if (!isBusy || typeof error.data.jobId !== 'string') throw error
      console.error('Another backup or restore is in progress; waiting for it to finish.')
      if (!(await follow(host, error.data.jobId))) return undefined
    }
  }
}

/** Drives a job until it ends; `undefined` if the site must be reopened first. */
async function follow(host: Site, jobId: string): Promise<Progress | undefined> {
  const shown = createProgress()
  let isRestarting = false
  void host.restarting.then(() => {
    isRestarting = true
  })
  try {
    while (!isRestarting) {
      const progress = await callRoute<Progress>(host, 'GET', `/backup/v1/backup/progress?jobId=${jobId}`)
      shown.update(progress.message || progress.stage, progress.percent, 100)
      if (progress.state !== 'running') return progress
      // A running server may be processing the job.
      await wait(20)
    }
    return undefined
  } finally {
    shown.end()
  }
}

async function list(): Promise<void> {
  await withHost(async (host) => {
    for (let page = 1, pages = 1; page <= pages; page++) {
      const found = await callRoute<{ items: BackupRecord[]; pages: number }>(
        host,
        'GET',
        `/backup/v1/backup/fetch?perPage=100&page=${page}`,
      )
      pages = found.pages
      for (const { id, date, size, location, kind, title, fileName } of found.items) {
        console.log([id, date, `${(size / 1024 ** 2).toFixed(1)} MB`, location, kind, title, fileName].join('\t'))
      }
    }
  })
}

async function verify(file: string): Promise<void> {
  requireFile(file)
  const workFolder = await mkdtemp(join(tmpdir(), 'pentad-verify-'))
  const shown = createProgress()
  try {
    const archive = await openArchive(await fileSource(file), { workFolder })
    try {
      for (let done = false; !done; ) {
        const read = await archive.verify(AbortSignal.timeout(500))
        shown.update('Verifying', read.bytes, read.totalBytes)
        done = read.done
      }
      shown.end()
      const { counts, siteUrl, created, contents } = archive.manifest
      console.log(
        `${file} is intact: ${counts.files} files (${contents.join(', ')}) from ${siteUrl}, created ${created}.`,
      )
    } finally {
      await archive.close()
    }
  } finally {
    shown.end()
    await rm(workFolder, { recursive: true, force: true })
  }
}

/** Does not open the site, which may be broken or missing. */
async function restore(file: string, { parts, trustCode }: { parts?: string[]; trustCode?: boolean }): Promise<void> {
  requireFile(file)
  const site = await closedSite('backup')
  await site.finishReplacement()
  const restores = createRestores(site, {
    logs: createJobLogs(join(site.dir, 'backups')),
    exclusion: () => readExclusion(site.dir),
  })
  await restores.settle()
  await restores.cancelLost()
  const other = (await restores.states.list()).find(({ state }) => state === 'running')
  if (other) throw new Error('Another restore is in progress. Wait until it is complete, or delete its folder in tmp/.')
  await site.noteUrl()
  const source = { file: resolve(file) }
  const { id } = await restores.create({ backupId: null, source, parts: readParts(parts), trustCode })
  const shown = createProgress()
  let formerUrl: string | null = null
  let warnings: readonly string[] = []
  try {
    for (;;) {
      const state = await restores.tick(id, NEVER_ABORTED)
      if (!state) throw new Error('The folder of the restore was removed.')
      formerUrl = state.siteUrl
      warnings = state.warnings
      shown.update(state.message, state.percent, 100)
      if (state.state === 'complete') break
      if (state.state !== 'running') throw new Error(state.error?.message ?? state.message)
      if (site.lastReplacement()?.id === id) await putInPlace(site, id)
    }
  } finally {
    shown.end()
    await restores.close()
  }
  for (const warning of warnings) console.error(`warning: ${warning}`)
  console.log(`Site restored in ${site.dir}. All users were logged out.`)
  if (formerUrl === null || formerUrl === site.url) return
  console.log(`URLs in the content were changed from ${formerUrl} to ${site.url}.`)
}

/** Exclude patterns from the settings, if they can be read. Filters of extensions do not run, since none is loaded. */
function readExclusion(siteDir: string): (path: string) => boolean {
  const schema = z.object({ backup_settings: z.object({ excludePatterns: z.array(z.string()) }) })
  let options: unknown
  try {
    options = JSON.parse(readFileSync(join(siteDir, 'options.json'), 'utf8'))
  } catch {
    // The site is missing or broken: all of it is replaced.
  }
  const patterns = schema.safeParse(options).data?.backup_settings.excludePatterns ?? []
  return createExclusion(patterns)
}

/** A running server detects the replacement, closes the site and performs it. Without a server, this process does. */
async function putInPlace(site: ClosedSite, id: string): Promise<void> {
  const isDone = () => {
    const last = site.lastReplacement()
    return last?.id !== id || last.outcome !== undefined
  }
  for (const start = Date.now(); !isDone() && Date.now() - start < SERVER_TAKES_OVER; ) await wait(100)
  await site.finishReplacement()
}

function readParts(words: string[] | undefined): Category[] | null {
  if (!words) return null
  const parts = categoriesSchema.safeParse(words)
  if (parts.success) return parts.data
  throw new Error('Unknown part. Valid parts: database, uploads, themes, extensions, others.')
}

function requireFile(file: string): void {
  if (!(existsSync(file) && statSync(file).isFile())) throw new Error(`File not found: ${file}`)
}
