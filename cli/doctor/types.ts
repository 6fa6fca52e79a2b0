import type { Config } from '../../core/config.ts'
import type { ReadOnlyDatabase } from './read-only-database.ts'

/** One result of `pentad doctor`. */
export interface Finding {
  /** What was checked, in a word or two: `database`. */
  readonly check: string
  readonly level: 'error' | 'warning' | 'ok'
  /** One sentence: what is wrong, or what is right. */
  readonly message: string
  /** One sentence with the command or setting that fixes it; `null` if nothing needs to be done. */
  readonly fix: string | null
}

/** The site as its checks see it. It may be running, stopped or broken. */
export interface ExaminedSite {
  /** Invalid values are replaced by the defaults. */
  readonly config: Config
  /** The records of `options.json`; empty if the file is missing or damaged. */
  readonly options: Readonly<Record<string, unknown>>
  /** Why the database cannot be read, instead of the database. */
  readonly database: ReadOnlyDatabase | Error
  /** Whether a server of this site is running, on any machine. */
  readonly isRunning: boolean
  readonly environment: NodeJS.ProcessEnv
}

/** A check of `pentad doctor`. It changes nothing, and takes a few seconds at most. */
export type DoctorCheck = (site: ExaminedSite) => Promise<readonly Finding[]>

/** A finding without a problem. */
export function ok(check: string, message: string): Finding {
  return { check, level: 'ok', message, fix: null }
}

/** Something that works, but should be changed. */
export function warning(check: string, message: string, fix: string): Finding {
  return { check, level: 'warning', message, fix }
}

/** Something because of which the site, or a part of it, does not work or is not safe. */
export function error(check: string, message: string, fix: string): Finding {
  return { check, level: 'error', message, fix }
}
