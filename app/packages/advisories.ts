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

const batchSchema = z.object({
  results: z.array(z.object({ vulns: z.array(z.object({ id: z.string() })).nullish() })),
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

/** A client of a vulnerability database with the API of OSV (https://google.github.io/osv.dev/api/). */
export interface Advisories {
  /**
   * The advisories for each of the versions, in their order; none if no database is configured. Sends one request for all, and one for each
   * version that has any.
   *
   * @throws RestError `package_unavailable`
   */
  ofAll(wanted: readonly PackageVersion[]): Promise<readonly (readonly Advisory[])[]>
  /** @throws RestError `extension_vulnerable` with the advisories, and `package_unavailable` */
  assertNone(wanted: PackageVersion): Promise<void>
}

export function createAdvisories(settings: () => Pick<PackageSettings, 'advisoryDatabase'>): Advisories {
  const hasDatabase = () => settings().advisoryDatabase !== ''

  async function request<Schema extends z.ZodType>(path: string, body: object, schema: Schema, what: string) {
    const url = new URL(`${settings().advisoryDatabase}${path}`)
    try {
      const response = await requestOnce(url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Accept: 'application/json', 'Accept-Encoding': 'identity' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(TIME_LIMIT),
        // An administrator chose it, so that it may be in a private network.
        isTrusted: true,
      })
      const content = await readResponse(url, response, { maxBytes: MAX_BYTES })
      if (response.statusCode !== 200) throw new Error(`HTTP ${response.statusCode}`)
      return schema.parse(JSON.parse(content.toString('utf8')))
    } catch (error) {
      throw unavailable(`${what} could not be looked up in the advisory database: ${messageOf(error)}`)
    }
  }

  async function query(wanted: PackageVersion): Promise<readonly Advisory[]> {
    if (!hasDatabase()) return []
    const { vulns } = await request('/v1/query', queryOf(wanted), responseSchema, `${wanted.name} ${wanted.version}`)
    return vulns
      .filter(({ withdrawn }) => withdrawn === undefined)
      .map(({ id, summary }) => ({ id, summary: summary.slice(0, 300) }))
  }

  return {
    async ofAll(wanted) {
      if (!hasDatabase() || wanted.length === 0) return wanted.map(() => [])
      const body = { queries: wanted.map(queryOf) }
      const { results } = await request('/v1/querybatch', body, batchSchema, 'The installed extensions')
      // The batch contains only IDs, including those of withdrawn advisories.
      return Promise.all(wanted.map((one, at) => (results[at]?.vulns?.length ? query(one) : [])))
    },
    async assertNone(wanted) {
      const advisories = await query(wanted)
      if (advisories.length === 0) return
      const { name, version } = wanted
      const message = `${describeVulnerable(wanted, advisories)}.`
      throw new RestError('extension_vulnerable', message, { status: 409, name, version, advisories })
    },
  }
}

const queryOf = ({ name, version }: PackageVersion) => ({ package: { name, ecosystem: 'npm' }, version })

/** `gallery 1.0.0 has known vulnerabilities: GHSA-1234 (Scripts in comments)` */
export function describeVulnerable({ name, version }: PackageVersion, advisories: readonly Advisory[]): string {
  return `${name} ${version} has known vulnerabilities: ${advisories.map(describeAdvisory).join('; ')}`
}

/** `GHSA-1234 (Scripts in comments)` */
function describeAdvisory({ id, summary }: Advisory): string {
  return summary === '' ? id : `${id} (${summary})`
}
