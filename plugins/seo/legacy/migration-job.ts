import {
  type ExtensionHost,
  type JobReport,
  RestError,
  RestResponse,
  type Settings,
  success,
  successSchema,
} from 'pentad'
import { z } from 'zod'
import { importShape, type Redirects } from '../redirects/types.ts'
import { finishMigration, type MigrationReport, type MigrationSite, readPlugin } from './migrate.ts'
import { migrateItems } from './migrate-items.ts'
import { countsOf, createTally } from './tally.ts'
import { LEGACY_IDS } from './types.ts'

/** Time limit of a tick, in ms. */
const TICK = 2000
/** Option with the parameters and result of the latest migration. */
const RECORD = 'seo_legacy_migration'

const request = z.object({
  from: z.enum(LEGACY_IDS).describe('Plugin to import from.'),
  dryRun: z.boolean().default(false).describe('Whether to report what would change without writing anything.'),
  overwrite: z.boolean().default(false).describe('Whether to replace values that are already set.'),
})

const count = z.object({ found: z.int(), changed: z.int() })
const redirect = z.object({
  source: z.string(),
  target: z.string(),
  match: z.enum(['exact', 'regex']),
  status: z.int(),
  enabled: z.boolean(),
})
const tallyCounts = z.object({
  ...{ written: z.int(), same: z.int(), kept: z.int(), writtenOut: z.int() },
  notTaken: z.array(z.object({ what: z.string(), times: z.int() })).readonly(),
})
const jobData = request.extend({
  done: z.int(),
  posts: count,
  terms: count,
  redirects: z.array(redirect),
  tally: tallyCounts,
})

/** Result of a migration, with the first errors of redirects. */
const reportShape = z.object({
  ...{ posts: count, terms: count, values: tallyCounts },
  settings: z.object({ written: z.array(z.string()), kept: z.array(z.string()) }),
  redirects: importShape.extend({ found: z.int() }),
})

const record = request.extend({ jobId: z.string(), report: reportShape.nullable() })

const migrationShape = record.extend({
  state: z.enum(['running', 'complete', 'failed', 'cancelled']),
  ...{ percent: z.int(), error: z.string().nullable() },
})

/** The migration over REST: a resumable job whose report is stored. */
export function registerMigration(
  host: ExtensionHost,
  { settings, redirects }: { settings: Pick<Settings, 'update'>; redirects: Pick<Redirects, 'import'> },
): void {
  const { auth, content, database, hooks, jobs, options } = host
  const site: MigrationSite = {
    ...{ content, users: auth.users, database, options },
    async saveSettings(changes) {
      await settings.update(changes)
    },
    importRedirects: (rules) => redirects.import(rules.map((rule, at) => ({ line: at + 1, rule }))),
  }

  const { job } = jobs.define({
    type: 'seo-legacy',
    data: jobData,
    async tick({ id, data, signal }) {
      const asked = { ...data, wordPressOptions: {} }
      const until = Date.now() + TICK
      const tally = createTally(data.tally)
      const isOver = () => Date.now() >= until || signal.aborted
      let percent = 0
      const onProgress = (done: number, total: number) => {
        percent = Math.floor((100 * done) / total)
      }
      // Between these two hooks other parts skip work for each single change.
      if (!data.dryRun) await hooks.doActionAsync('import_start')
      try {
        const parts = { ...asked, ...readPlugin(site, asked), tally, onProgress }
        const some = await migrateItems(site, parts, { from: data.done, isOver })
        const found = {
          posts: { ...some.posts, changed: data.posts.changed + some.posts.changed },
          terms: { ...some.terms, changed: data.terms.changed + some.terms.changed },
          redirects: [...data.redirects, ...some.redirects],
        }
        if (some.next !== undefined) {
          const left = { ...data, ...found, done: some.next, tally: countsOf(tally) }
          return { done: false, data: left, percent, message: `${some.next} posts and terms processed.` }
        }
        const report = await finishMigration(site, asked, { ...found, tally })
        const { from, dryRun, overwrite } = data
        await options.update(RECORD, { from, dryRun, overwrite, jobId: id, report: toJson(report) })
        return { done: true }
      } finally {
        if (!data.dryRun) await hooks.doActionAsync('import_end')
      }
    },
  })

  /** The latest migration with the state of its job. */
  async function last() {
    const stored = record.safeParse(options.get(RECORD)).data
    const state = stored && (await jobs.get(stored.jobId))
    return { stored, state }
  }

  async function begin(asked: z.output<typeof request>) {
    const { stored, state } = await last()
    if (stored?.report === null && state?.state === 'running') return undefined
    const nothing = { found: 0, changed: 0 }
    const start = { done: 0, posts: nothing, terms: nothing, redirects: [], tally: countsOf(createTally()) }
    const started = await job.start({ ...asked, ...start })
    const begun = { ...asked, jobId: started.id, report: null }
    // A short job may have finished by now.
    await options.modify(RECORD, (now) => (record.safeParse(now).data?.jobId === started.id ? (now ?? null) : begun))
    return reportOf(begun, started)
  }

  host.rest.registerRoute('seo/v1', {
    method: 'POST',
    path: '/legacy-seo/migrate',
    access: 'manage_options',
    summary: 'Starts an import of data from another SEO plugin; `GET` returns the progress and the result.',
    input: request,
    response: successSchema(z.object({ migration: migrationShape })),
    async handler({ input }) {
      const migration = await jobs.withLease('seo-legacy', 10_000, () => begin(input))
      if (!migration) throw new RestError('migration_in_progress', 'An import is already in progress.', { status: 409 })
      return new RestResponse(success({ migration }), { status: 202 })
    },
  })

  host.rest.registerRoute('seo/v1', {
    method: 'GET',
    path: '/legacy-seo/migrate',
    access: 'manage_options',
    summary: 'Returns the progress and the result of the latest import.',
    response: successSchema(z.object({ migration: migrationShape.nullable() })),
    async handler() {
      const { stored, state } = await last()
      return success({ migration: stored ? reportOf(stored, state) : null })
    },
  })
}

function reportOf({ report, ...asked }: z.output<typeof record>, job: JobReport | undefined) {
  const state = report === null ? (job?.state ?? 'failed') : 'complete'
  return { ...asked, state, percent: report === null ? (job?.percent ?? 0) : 100, error: job?.error ?? null, report }
}

/** The report as it is stored, with at most 100 errors. */
function toJson({ values, ...report }: MigrationReport) {
  const { errors, ...counts } = report.redirects
  const firstErrors = errors.slice(0, 100).map(({ line, message }) => ({ line, message }))
  const { written, kept } = report.settings
  return {
    ...{ posts: { ...report.posts }, terms: { ...report.terms } },
    values: { ...countsOf(values) },
    settings: { written, kept },
    redirects: { ...counts, errors: firstErrors },
  }
}
