import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { link, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { isCode } from '../errors.ts'

/** Milliseconds without an update after which a lock is stale. Holders update it more often. */
const STALE_AFTER = 10_000
/** Milliseconds after which an empty lock is stale: its process was killed before writing its identity, which takes microseconds. */
const NAMELESS_AFTER = 1_000
/** Maximum time to wait for the lock, in milliseconds. */
const GIVE_UP_AFTER = 30_000

/** Another process has taken over the lock, because it looked stale. Nothing was written. */
export class LockLost extends Error {}

/** A mutex between the processes of a site, such as the server and commands. */
export interface FileLock {
  /** Runs `work` with the lock. A process that is suspended meanwhile can lose it: see `confirm`. */
  hold<Result>(work: () => Promise<Result>): Promise<Result>
  /** Call it immediately before the effect becomes visible. @throws LockLost */
  confirm(): Promise<void>
}

/**
 * A lock file, created with `O_EXCL`, that contains host, process ID and holder. It is stale if its process has ended, or if it was not
 * updated for a long time, since process IDs are reused and processes of other hosts cannot be checked.
 *
 * @param options.staleAfter - Milliseconds without an update after which a lock is stale.
 */
export function createFileLock(path: string, { staleAfter = STALE_AFTER }: { staleAfter?: number } = {}): FileLock {
  let held: string | undefined

  async function acquire(): Promise<string> {
    const token = `${hostname()} ${process.pid} ${randomBytes(12).toString('hex')}`
    for (const start = Date.now(); ; await sleep(2 + Math.random() * 8)) {
      try {
        // Synchronous, because the process may be killed between an asynchronous open and write.
        writeFileSync(path, token, { flag: 'wx', mode: 0o600 })
        return token
      } catch (error) {
        if (!isCode(error, 'EEXIST')) throw error
      }
      await removeStale()
      if (Date.now() - start > GIVE_UP_AFTER) {
        throw new Error(
          `${path} is locked by another process. If no other process of this site is running, delete the file.`,
        )
      }
    }
  }

  /** Removes a stale lock, one process at a time: of two that found it stale, the second would remove the lock of the next holder. */
  async function removeStale(): Promise<void> {
    if (!(await isStaleNow())) return
    const removal = `${path}.stale`
    try {
      writeFileSync(removal, '', { flag: 'wx', mode: 0o600 })
    } catch (error) {
      if (!isCode(error, 'EEXIST')) throw error
      const stats = await ignore('ENOENT', stat(removal))
      if (stats && Date.now() - stats.mtimeMs > staleAfter) await rm(removal, { force: true })
      return
    }
    try {
      const found = await isStaleNow()
      if (found) await moveAway(found.token)
    } finally {
      await rm(removal, { force: true })
    }
  }

  async function isStaleNow(): Promise<Found | undefined> {
    const found = await look(path)
    return found && isStale(found, staleAfter) ? found : undefined
  }

  /** A process that was suspended for long may remove a newer lock by mistake, and then restores it. */
  async function moveAway(token: string): Promise<void> {
    const aside = `${path}.${randomBytes(6).toString('hex')}`
    await ignore('ENOENT', rename(path, aside))
    if ((await read(aside)) !== token) await ignore('EEXIST', ignore('ENOENT', link(aside, path)))
    await rm(aside, { force: true })
  }

  const confirm = async (): Promise<void> => {
    if (held === undefined || (await read(path)) !== held) throw new LockLost(`${path} was taken by another process.`)
  }

  const touch = async (): Promise<void> => {
    const now = new Date()
    if ((await read(path)) === held) await ignore('ENOENT', utimes(path, now, now))
  }

  return {
    confirm,
    async hold(work) {
      held = await acquire()
      const touching = setInterval(() => void touch().catch(() => {}), staleAfter / 4)
      try {
        return await work()
      } finally {
        clearInterval(touching)
        if ((await read(path)) === held) await rm(path, { force: true })
        held = undefined
      }
    },
  }
}

interface Found {
  readonly token: string
  /** Milliseconds since its last update. */
  readonly age: number
}

async function look(path: string): Promise<Found | undefined> {
  const token = await read(path)
  const stats = await ignore('ENOENT', stat(path))
  return token === undefined || !stats ? undefined : { token, age: Date.now() - stats.mtimeMs }
}

function isStale({ token, age }: Found, staleAfter: number): boolean {
  if (token === '') return age > NAMELESS_AFTER
  const [host, pid] = token.split(' ')
  return age > staleAfter || (host === hostname() && pid !== undefined && !isRunning(Number(pid)))
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: the process exists, but belongs to another user.
    return !isCode(error, 'ESRCH')
  }
}

function read(path: string): Promise<string | undefined> {
  return ignore('ENOENT', readFile(path, 'utf8'))
}

async function ignore<Result>(code: string, work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work
  } catch (error) {
    if (isCode(error, code)) return undefined
    throw error
  }
}
