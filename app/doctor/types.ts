import type { PageTexts } from '../../cms/text/translations.ts'
import type { Config } from '../../core/config.ts'
import type { ReadOnlyDatabase } from './read-only-database.ts'
import type { Server } from './servers.ts'

/** One result of `pentad doctor` and of Site Health. */
export interface Finding {
  /** What was checked, in a word or two: `database`. */
  readonly check: string
  readonly level: 'error' | 'warning' | 'ok'
  /** One sentence: what is wrong and why that matters, or what is right. */
  readonly message: string
  /** One sentence with the command or setting that fixes it; `null` if nothing needs to be done. */
  readonly fix: string | null
  /** How an administrator fixes it in the admin, under Tools → Site Health; `null` if that is not possible. */
  readonly action: FindingAction | null
}

/** A button: it opens a screen of the admin, or sends a request that fixes the problem. */
export type FindingAction =
  | { readonly label: string; readonly screen: string }
  | { readonly label: string; readonly request: FindingRequest }

/** A request to the REST API. */
export interface FindingRequest {
  readonly method: 'POST' | 'PUT'
  /** Such as `host/v1/purge`. */
  readonly path: string
  readonly data?: Readonly<Record<string, unknown>>
}

/** The site as its checks see it. It may be running, stopped or broken. */
export interface ExaminedSite {
  /** Invalid values are replaced by the defaults; host and port are those of a server that is running on this machine. */
  readonly config: Config
  /** The records of `options.json`; empty if the file is missing or damaged. */
  readonly options: Readonly<Record<string, unknown>>
  /** Why the database cannot be read, instead of the database. */
  readonly database: ReadOnlyDatabase | Error
  /** Number of processes that serve this site, on any machine; 0 if it is stopped. */
  readonly processes: number
  readonly servers: readonly Server[]
  readonly environment: NodeJS.ProcessEnv
  /** In the language of the reader; on the command line, in English. */
  readonly texts: Pick<PageTexts, '__' | '_n'>
}

/** A check of `pentad doctor`. It changes nothing, and takes a few seconds at most. */
export type DoctorCheck = (site: ExaminedSite) => Promise<readonly Finding[]>

/** A finding without a problem. */
export function ok(check: string, message: string): Finding {
  return { check, level: 'ok', message, fix: null, action: null }
}

/** Something that works, but should be changed. */
export function warning(check: string, message: string, fix: string, action: FindingAction | null = null): Finding {
  return { check, level: 'warning', message, fix, action }
}

/** A problem that breaks the site, or a part of it, or makes it unsafe. */
export function error(check: string, message: string, fix: string, action: FindingAction | null = null): Finding {
  return { check, level: 'error', message, fix, action }
}
