/** A site to be killed: an imported WordPress export with files, run by one process of `pentad start` after the other. */

import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createSite } from '../../app/create-site.ts'
import { lastReplacement } from '../../app/replacement/index.ts'
import { importWxr } from '../../cms/content/import/index.ts'
import { createLog } from '../../core/log.ts'
import type { Progress } from '../../plugins/backup/types.ts'
import { launch, type RunningSite, startPentad } from '../support/pentad.ts'
import { createEmptyPostgresDatabase, createPostgresDatabase } from '../support/postgres.ts'
import { noise } from '../support/randoms.ts'
import { logIn } from '../support/session.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { until } from '../support/until.ts'
import { type Answer, writeFiles } from './backup-site.ts'
import { contentOf, runSql, type SitePlace, withPostgres } from './site-content.ts'

/** How many processes each test kills on SQLite; a tenth of them on PostgreSQL. */
export const KILLS = Number(process.env.PENTAD_TEST_KILLS ?? 20)
/** Where the moments come from. */
export const SEED = process.env.PENTAD_TEST_SEED ?? '2026'
/** Size of the files that the site has besides those of the export. */
const MEGABYTES = Number(process.env.PENTAD_TEST_KILL_MEGABYTES ?? 6)
/** It stays, whichever port a process gets: no address in the content changes. */
const SITE_URL = 'https://killed.example'
/** The table that knows when somebody last came in. */
export const USED_AT_EACH_CALL = 'application_passwords'
/** Seconds for a job with several restarts of the site. */
const MOST_SECONDS = 120
const OPS = { login: 'ops', password: 'correct horse battery' }
const FIXTURES = join(import.meta.dirname, '../fixtures')

export interface KilledSite extends SitePlace {
  /** Starts a process of the site and waits until it serves. */
  start(): Promise<void>
  /** `kill -9`; resolves when the process is gone, and what it held is free as if time had passed. */
  kill(): Promise<void>
  /** Kills a process so many milliseconds after its begin, whether it serves then or not. */
  killWhileStarting(ms: number): Promise<void>
  /** Ends the process in peace. */
  stop(): Promise<void>
  /** Ends what still runs when a test has ended. */
  close(): Promise<void>
  /** Waits until a visitor gets the front page. */
  serves(): Promise<void>
  /** Calls a route of `backup/v1` as an administrator. */
  call<Data>(method: string, path: string, body?: unknown): Promise<Answer<Data>>
  /** Polls until the job has ended, through restarts of the site too. */
  ended(jobId: string, headers?: Readonly<Record<string, string>>): Promise<Progress>
  /** All rows and files, but what a call changes. */
  content(): Promise<string[]>
  /** SIGSTOP, in a moment in which the process does not keep others from the database; what it held is free. */
  pause(): Promise<void>
  /** SIGCONT. */
  resume(): void
  /** What the process has printed. */
  output(): string
  /** The same site for another process beside this one. */
  beside(): KilledSite
  /** Another site with the same content. This one must not run. */
  copy(): Promise<KilledSite>
  /** Lets go of what a killed process held, as if the time of its leases were over. */
  expireLeases(): Promise<void>
}

/** Makes the site. It does not run yet. */
export async function createKilledSite(kind: 'sqlite' | 'postgres'): Promise<KilledSite> {
  const place = {
    dir: temporaryFolder(),
    databaseUrl: kind === 'postgres' ? await createEmptyPostgresDatabase() : undefined,
  }
  await configure(place)
  // Passwords as a process of the site hashes them: it would hash a cheaper one again when somebody logs in.
  const host = await createSite({ siteDir: place.dir, port: 0, logLevel: 'silent' })
  // They write into the site at any time, and a process starts sooner without services.
  for (const id of ['ai', 'speed', 'pwa', 'seo']) await host.extensions.deactivate(id)
  const user = await host.auth.users.create({ ...OPS, email: 'ops@example.org', roles: ['administrator'] })
  const { password } = await host.auth.applicationPasswords.create(user.id, 'kill')
  const folder = temporaryFolder()
  execFileSync('tar', ['-xzf', join(FIXTURES, 'wordpress-uploads.tar.gz'), '-C', folder])
  const { content, auth, options, database, hooks, config } = host
  await importWxr({
    files: [join(FIXTURES, 'wordpress-export.xml')],
    uploadsDir: join(folder, 'uploads'),
    ...{ content, users: auth.users, options, database, hooks, config, log: createLog('silent') },
  })
  await host.close()
  await writeFiles(place.dir, Object.fromEntries(someFiles(MEGABYTES * 1_000_000)))
  return killedSite(place, `Basic ${btoa(`ops:${password}`)}`)
}

async function configure({ dir, databaseUrl }: SitePlace): Promise<void> {
  await writeFile(join(dir, 'config.json'), JSON.stringify({ url: SITE_URL, databaseUrl }))
}

/** A film, a text that packs well, many small pictures, and what belongs to none of the folders. */
function* someFiles(bytes: number): Generator<readonly [string, string | Buffer]> {
  yield ['uploads/film', noise('film', Math.floor(bytes / 2))]
  yield ['uploads/log.txt', 'GET /hello-world/ 200\n'.repeat(Math.floor(bytes / 4 / 22))]
  for (let at = 0; at * 40_000 < bytes / 4; at++) yield [`uploads/pictures/${at % 7}/${at}`, noise(`${at}`, 40_000)]
  yield ['themes/own/style.css', 'body { color: black }']
  yield ['generated/map.json', '{}']
}

function killedSite(place: SitePlace, account: string): KilledSite {
  let running: RunningSite | undefined
  const { dir } = place

  async function expireLeases(): Promise<void> {
    // What is being replaced is nobody's yet; the new database has no leases.
    const last = lastReplacement(dir)
    if (!last || last.outcome) await runSql(place, "update leases set expires = 0 where holder <> ''")
  }

  async function ask(method: string, path: string, given: RequestInit = {}): Promise<Response> {
    const headers = { Authorization: account, 'Content-Type': 'application/json', ...given.headers }
    return fetch(`${running?.url}${path}`, { ...given, method, headers })
  }

  return {
    ...place,
    expireLeases,
    async start() {
      running = await startPentad(dir)
    },
    async kill() {
      await running?.end('SIGKILL')
      await expireLeases()
    },
    async killWhileStarting(ms) {
      const child = launch(dir, ['start', '--port', '0'])
      child.stdout?.resume()
      child.stderr?.resume()
      const gone = once(child, 'close')
      await Promise.race([wait(ms), gone])
      child.kill('SIGKILL')
      await gone
      await expireLeases()
    },
    async stop() {
      const code = await running?.end()
      if (code !== 0) throw new Error(`pentad start ended with ${code}: ${running?.output()}`)
    },
    async close() {
      await running?.end('SIGKILL')
    },
    async serves() {
      await until(async () => (await ask('GET', '/').catch(() => undefined))?.status === 200, { seconds: MOST_SECONDS })
    },
    async call(method, path, body) {
      const restores = path === '/restore/start'
      const answer = await ask(method, `/wp-json/backup/v1${path}`, {
        ...(body !== undefined && { body: JSON.stringify(body) }),
        // An application password cannot restore.
        ...(restores && {
          headers: { Authorization: '', ...(await logIn(running?.url ?? '', OPS.login, OPS.password)) },
        }),
      })
      const { code, data } = JSON.parse(await answer.text())
      return { status: answer.status, code, data }
    },
    async ended(jobId, headers = {}) {
      let last = 'no response'
      let ended: Progress | undefined
      const poll = async () => {
        const answer = await ask('GET', `/wp-json/backup/v1/backup/progress?jobId=${jobId}`, { headers }).catch(
          () => undefined,
        )
        if (!answer) return false
        last = `${answer.status} ${await answer.text()}`
        // An unknown job never ends.
        if (answer.status === 404) throw new Error(`${last}\n${running?.output()}`)
        if (answer.status !== 200) return false
        const { data }: { data: Progress } = JSON.parse(last.slice(4))
        if (data.state !== 'running') ended = data
        return ended !== undefined
      }
      await until(poll, { seconds: MOST_SECONDS }).catch((error) => {
        throw new Error(`${error.message}\n${last}\n${running?.output()}`)
      })
      if (!ended) throw new Error(last)
      return ended
    },
    async pause() {
      for (;;) {
        process.kill(running?.pid() ?? 0, 'SIGSTOP')
        try {
          return await expireLeases()
        } catch (error) {
          if (!(error instanceof Error && /database is locked/.test(error.message))) throw error
        }
        process.kill(running?.pid() ?? 0, 'SIGCONT')
        await wait(5)
      }
    },
    output: () => running?.output() ?? '',
    resume: () => void process.kill(running?.pid() ?? 0, 'SIGCONT'),
    beside: () => killedSite(place, account),
    content: async () => (await contentOf(place)).filter((line) => !line.startsWith(USED_AT_EACH_CALL)),
    async copy() {
      const next = { dir: temporaryFolder(), databaseUrl: place.databaseUrl && (await copyDatabase(place.databaseUrl)) }
      execFileSync('cp', ['-a', '--reflink=auto', `${dir}/.`, next.dir])
      await configure(next)
      return killedSite(next, account)
    },
  }
}

async function copyDatabase(databaseUrl: string): Promise<string> {
  const next = await createPostgresDatabase()
  const nameOf = (url: string) => new URL(url).pathname.slice(1)
  const server = Object.assign(new URL(databaseUrl), { pathname: '/postgres' }).href
  await withPostgres(server, async (client) => {
    await client.query(`drop database ${nameOf(next)}`)
    await client.query(`create database ${nameOf(next)} template ${nameOf(databaseUrl)}`)
  })
  return next
}
