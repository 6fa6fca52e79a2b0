/** A site with the backup service, and what a client of its routes does. */
import { execFileSync } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createTestHost, type TestHost, type TestHostOptions } from 'pentad/testing'
import type { Auth } from '../../core/auth/types.ts'
import { createVault, loadSiteKey } from '../../core/options/index.ts'
import type { Vault } from '../../core/options/types.ts'
import type { LogEntry } from '../../plugins/backup/job-log.ts'
import type { BackupRecord, Progress } from '../../plugins/backup/types.ts'
import { openSession, type SessionHeaders } from '../support/session.ts'

export const BACKUP = fileURLToPath(new URL('../../plugins/backup', import.meta.url))

/** What an answer holds: `data` of a success, `code` and `data` of a refusal. */
export interface Answer<Data> {
  readonly status: number
  readonly code: string | undefined
  readonly data: Data
}

export interface BackupSite extends TestHost {
  readonly dir: string
  /** Calls a route of `backup/v1` as an administrator; a restore, and a backup before it, in a session whose password was confirmed. */
  call<Data = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<Answer<Data>>
  /** The newest backup first. */
  records(): Promise<BackupRecord[]>
  log(id: string): Promise<LogEntry[]>
  /** Begins a backup; resolves to its job id. */
  create(body?: unknown): Promise<string>
  /** Polls until the job has ended. */
  ended(jobId: string): Promise<Progress>
  /** Writes files into the site folder. */
  write(files: Readonly<Record<string, string | Buffer>>): Promise<void>
}

/** Who restores: an application password cannot. */
const OWNER = { login: 'owner', password: 'correct horse battery' }

export async function createBackupSite(options: TestHostOptions = {}): Promise<BackupSite> {
  const host = await createTestHost({ extensions: [BACKUP], ...options })
  const dir = host.host.config.siteDir
  await ownerOf(host.host.auth)
  const call = async <Data = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Answer<Data>> => {
    const isRestore =
      path === '/restore/start' || (typeof body === 'object' && body !== null && 'beforeRestoring' in body)
    const who = isRestore ? { headers: await ownerOf(host.host.auth) } : { as: 'administrator' }
    const answer = await host.request(`/wp-json/backup/v1${path}`, { method, body, ...who })
    const json = JSON.parse(await answer.text())
    return { status: answer.status, code: json.code, data: json.data }
  }
  return Object.assign(host, {
    dir,
    call,
    async records() {
      return (await call<{ items: BackupRecord[] }>('GET', '/backup/fetch?perPage=100')).data.items
    },
    async log(id: string) {
      return (await call<{ entries: LogEntry[] }>('GET', `/backup/logs?backupId=${id}`)).data.entries
    },
    async create(body: unknown = {}) {
      const { status, code, data } = await call('POST', '/backup/create', body)
      if (status !== 202) throw new Error(`create answered ${status} ${code}`)
      return String(data.jobId)
    },
    async ended(jobId: string) {
      for (;;) {
        const { data } = await call<Progress>('GET', `/backup/progress?jobId=${jobId}`)
        if (data.state !== 'running') return data
        await wait(20)
      }
    },
    write: (files: Readonly<Record<string, string | Buffer>>) => writeFiles(dir, files),
  })
}

/** A session of an administrator with an account password, made where the users were replaced by others. */
async function ownerOf(auth: Auth): Promise<SessionHeaders> {
  const { login, password } = OWNER
  const owner = { ...OWNER, email: 'owner@example.org', roles: ['administrator'] }
  const user = (await auth.users.getByLogin(login)) ?? (await auth.users.create(owner))
  return openSession(auth, user, password)
}

/** What encrypts for the backup service of a site, for what a test does in its place. */
export function vaultOf(siteDir: string): Vault {
  const vault = createVault(loadSiteKey(siteDir))
  return {
    seal: (value, place) => vault.seal(value, `extension backup ${place}`),
    open: (sealed, place) => vault.open(sealed, `extension backup ${place}`),
  }
}

/** Unpacks an archive with the system's tar and checks it with the system's sha256sum. */
export async function unpack(archive: string, folder: string): Promise<string[]> {
  await mkdir(folder, { recursive: true })
  const names = execFileSync('tar', ['-tf', archive], { encoding: 'utf8' }).trim().split('\n')
  execFileSync('tar', ['-xf', archive, '-C', folder])
  execFileSync('sha256sum', ['--quiet', '-c', 'checksums.sha256'], { cwd: folder })
  return names
}

/** The lines of a table's file: its head, then its rows. */
export async function tableLines(folder: string, table: string): Promise<unknown[][]> {
  const text = await readFile(join(folder, 'database', `${table}.ndjson`), 'utf8')
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

/** Writes files below a folder. */
export async function writeFiles(folder: string, files: Readonly<Record<string, string | Buffer>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), content)
  }
}
