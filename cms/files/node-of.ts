import { createHash } from 'node:crypto'
import { hostname } from 'node:os'

/** Identifies the site folder on this machine, for jobs that work with its files. */
export function nodeOf(siteDir: string): string {
  return createHash('sha256').update(`${hostname()} ${siteDir}`).digest('base64url')
}
