import { sql } from 'kysely'
import type { Database } from '../../core/database/index.ts'

/** Milliseconds that one row counts; longer than a request with its callbacks takes. */
export const PERIOD = 30_000
/** Periods after which a process that still runs has removed its row. Another process may have got its ID. */
const LONGEST = 10
const PREFIX = 'unrecorded'
/** IDs of processes repeat, in containers also after each start. */
const THIS_PROCESS = `${process.pid} ${Math.round(performance.timeOrigin)}`

const period = () => Math.floor(Date.now() / PERIOD)

/**
 * The row of `content_versions` that notes, in the transaction of a save, that its purge may not be in the change log yet: one for each process
 * and period. It remains if the process is killed.
 */
export const unrecordedRow = (): string => `${PREFIX} ${THIS_PROCESS} ${period()}`

/**
 * The rows of this process and of processes that were killed.
 * @param oneMachine Whether all processes of the site run here; those of other machines are known to be gone only by the age of their rows.
 */
export async function unrecordedRows(
  { db }: Pick<Database, 'db'>,
  oneMachine: boolean,
): Promise<{
  /** All of this process. */
  own: string[]
  /** Those of them whose saves have ended, with their callbacks. */
  settled: string[]
  /** Of processes that were killed. */
  lost: string[]
}> {
  const { rows } = await sql<{ kind: string }>`
    select kind from content_versions where kind like ${`${PREFIX} %`}`.execute(db)
  const kinds = rows.map(({ kind }) => kind)
  const own = kinds.filter((kind) => kind.startsWith(`${PREFIX} ${THIS_PROCESS} `))
  return {
    own,
    settled: own.filter((kind) => ageOf(kind) > 1),
    lost: kinds.filter(
      (kind) => !own.includes(kind) && (ageOf(kind) > LONGEST || (oneMachine && !isRunning(processOf(kind)))),
    ),
  }
}

export async function removeUnrecorded({ db }: Pick<Database, 'db'>, kinds: readonly string[]): Promise<void> {
  for (const kind of kinds) await sql`delete from content_versions where kind = ${kind}`.execute(db)
}

const processOf = (kind: string) => Number(kind.split(' ')[1])
const ageOf = (kind: string) => period() - Number(kind.split(' ')[3])

function isRunning(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
