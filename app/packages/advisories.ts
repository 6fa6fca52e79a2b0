import { z } from 'zod'
import { readResponse, requestOnce } from '../../cms/http/public-request.ts'
import { messageOf, RestError } from '../../core/errors.ts'
import { unavailable } from './errors.ts'
import type { PackageSettings } from './settings.ts'

const TIME_LIMIT = 10_000
const MAX_BYTES = 5 * 1024 * 1024

/** https://ossf.github.io/osv-schema/ */
const responseSchema = z.object({
  vulns: z
    .array(z.object({ id: z.string(), summary: z.string().default(''), withdrawn: z.string().optional() }))
    .default([]),
})

/** A known vulnerability of a version of a package. */
export interface Advisory {
  /** `GHSA-…` */
  readonly id: string
  readonly summary: string
}

/** A version of a package in the registry of npm. */
export interface PackageVersion {
  readonly name: string
  readonly version: string
}

/** A client of a vulnerability database with the API of OSV (https://google.github.io/osv.dev/post-v1-query/). */
export interface Advisories {
  /** The advisories for a version; none if no database is configured. @throws RestError `package_unavailable` */
  of(wanted: PackageVersion): Promise<readonly Advisory[]>
  /** @throws RestError `extension_vulnerable` with the advisories, and `package_unavailable` */
  assertNone(wanted: PackageVersion): Promise<void>
}

export function createAdvisories(settings: () => PackageSettings): Advisories {
  async function query({ name, version }: PackageVersion): Promise<readonly Advisory[]> {
    const { advisoryDatabase } = settings()
    if (advisoryDatabase === '') return []
    const url = new URL(`${advisoryDatabase}/v1/query`)
    try {
      const response = await requestOnce(url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Accept: 'application/json', 'Accept-Encoding': 'identity' },
        body: JSON.stringify({ package: { name, ecosystem: 'npm' }, version }),
        signal: AbortSignal.timeout(TIME_LIMIT),
        // An administrator chose it, so that it may be in a private network.
        isTrusted: true,
      })
      const body = await readResponse(url, response, { maxBytes: MAX_BYTES })
      if (response.statusCode !== 200) throw new Error(`HTTP ${response.statusCode}`)
      const { vulns } = responseSchema.parse(JSON.parse(body.toString('utf8')))
      return vulns
        .filter(({ withdrawn }) => withdrawn === undefined)
        .map(({ id, summary }) => ({ id, summary: summary.slice(0, 300) }))
    } catch (error) {
      throw unavailable(`${name} ${version} could not be looked up in the advisory database: ${messageOf(error)}`)
    }
  }

  return {
    of: query,
    async assertNone(wanted) {
      const advisories = await query(wanted)
      if (advisories.length === 0) return
      const { name, version } = wanted
      const message = `${describeVulnerable(wanted, advisories)}.`
      throw new RestError('extension_vulnerable', message, { status: 409, name, version, advisories })
    },
  }
}

/** `gallery 1.0.0 has known vulnerabilities: GHSA-1234 (Scripts in comments)` */
export function describeVulnerable({ name, version }: PackageVersion, advisories: readonly Advisory[]): string {
  return `${name} ${version} has known vulnerabilities: ${advisories.map(describeAdvisory).join('; ')}`
}

/** `GHSA-1234 (Scripts in comments)` */
function describeAdvisory({ id, summary }: Advisory): string {
  return summary === '' ? id : `${id} (${summary})`
}
