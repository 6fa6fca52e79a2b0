import { z } from 'zod'
import { type PublicRequest, readResponse, requestPublic } from '../../cms/http/public-request.ts'
import { messageOf } from '../../core/errors.ts'
import { conflict, notFound, unavailable } from './errors.ts'
import { checkIntegrity, checkSignature, integrityOf, keysSchema, signaturesSchema } from './integrity.ts'
import { attestationsSchema, type Provenance } from './provenance.ts'
import type { PackageSettings } from './settings.ts'

/** Keyword of extensions in the registry. */
const KEYWORD = 'pentad-extension'
const MAX_DOCUMENT = 20 * 1024 * 1024
/** Maximum size of a package, in bytes. */
export const MAX_PACKAGE = 20 * 1024 * 1024
const TIME_LIMIT = 60_000
const HOUR = 3_600_000

const versionSchema = z.object({
  version: z.string(),
  deprecated: z.union([z.string(), z.boolean()]).optional(),
  dist: z.object({
    ...{ tarball: z.url(), integrity: z.string().default(''), signatures: signaturesSchema.optional() },
    attestations: z.object({ provenance: z.unknown() }).optional(),
  }),
})
/** https://github.com/npm/registry/blob/main/docs/responses/package-metadata.md */
const packumentSchema = z.object({
  'dist-tags': z.record(z.string(), z.string()).default({}),
  versions: z.record(z.string(), versionSchema),
  time: z.record(z.string(), z.string()).default({}),
})
const searchSchema = z.object({
  objects: z.array(
    z.object({
      package: z.object({
        ...{ name: z.string(), version: z.string(), description: z.string().default('') },
        date: z.string().nullish(),
        publisher: z.object({ username: z.string() }).nullish(),
        links: z.object({ homepage: z.string().nullish(), repository: z.string().nullish() }).nullish(),
      }),
    }),
  ),
})

type Version = z.output<typeof versionSchema>

/** A version in the registry. */
export interface Release {
  readonly name: string
  readonly version: string
  /** Milliseconds since 1970; `undefined` if the registry does not say. */
  readonly published: number | undefined
  /** Milliseconds since 1970: when the release delay ends. `undefined` if it may be installed now. */
  readonly heldUntil: number | undefined
  readonly dist: Version['dist']
}

/** A result of a search. */
export interface FoundPackage {
  readonly name: string
  readonly version: string
  readonly description: string
  /** Date of the version, ISO 8601. */
  readonly date: string | null
  readonly author: string | null
  readonly homepage: string | null
}

/** A release and what was verified. */
export interface Downloaded {
  readonly content: Buffer
  /** The ID of the registry's key whose signature is valid; `null` if the registry does not sign it. */
  readonly signedBy: string | null
  /** Whether the author published a statement about where it was built. */
  readonly hasProvenance: boolean
  /** The workflow that built it, according to the verified statement; `null` without one, or if it could not be verified. */
  readonly provenance: string | null
}

/** A client of an npm-compatible registry. */
export interface Registry {
  /**
   * The newest release in a range that may be installed now; if there is none, the newest that is held back.
   *
   * @param range - A version, a semver range, or a tag.
   * @throws RestError `package_not_found`, `package_unavailable`, `package_conflict`
   */
  resolve(name: string, range: string): Promise<Release>
  /**
   * Downloads a release and checks its checksum, its signature, and the statement about where it was built.
   *
   * @throws RestError
   */
  download(release: Release): Promise<Downloaded>
  /** Extensions in the registry that match the words. */
  search(words: string): Promise<readonly FoundPackage[]>
}

export function createRegistry(settings: () => PackageSettings, provenance: Provenance): Registry {
  /** The owner chose the registry, so it may be in a private network; other servers may not. */
  async function request(url: string, maxBytes: number, what: string): Promise<Buffer | undefined> {
    const { registry, registryToken } = settings()
    const isRegistry = ({ origin }: URL) => origin === new URL(registry).origin
    const hasToken = registryToken !== '' && isRegistry(new URL(url))
    const headers = { Accept: 'application/json, */*', ...(hasToken && { Authorization: `Bearer ${registryToken}` }) }
    try {
      return await readUrl(url, maxBytes, { headers, isTrusted: isRegistry })
    } catch (error) {
      throw unavailable(`${what} could not be downloaded from ${new URL(url).host}: ${messageOf(error)}`)
    }
  }

  async function read<Schema extends z.ZodType>(path: string, schema: Schema, what: string) {
    const body = await request(`${settings().registry}/${path}`, MAX_DOCUMENT, what)
    if (!body) return undefined
    try {
      return schema.parse(JSON.parse(body.toString('utf8')))
    } catch (error) {
      throw unavailable(`The registry sent an invalid response for ${what}: ${messageOf(error)}`)
    }
  }

  async function checkSignatureOf({ name, version, published, dist }: Release): Promise<string | null> {
    if (!dist.signatures?.length) return null
    const keys = await read('-/npm/v1/keys', keysSchema, 'the keys of the registry')
    const subject = { name, version, integrity: dist.integrity, published: published ?? Date.now() }
    return keys && keys.keys.length > 0 ? checkSignature(subject, dist.signatures, keys) : null
  }

  async function provenanceOf({ name, version }: Release, content: Buffer): Promise<string | null> {
    const what = `the provenance statement for ${name} ${version}`
    const path = `-/npm/v1/attestations/${name.replace('/', '%2F')}@${version}`
    const attestations = await read(path, attestationsSchema, what)
    if (!attestations) throw unavailable(`The registry does not have ${what}.`)
    return provenance.verify({ name, version, integrity: integrityOf(content) }, attestations)
  }

  return {
    async resolve(name, range) {
      const { semver } = await import('../semver.ts')
      const document = await read(name.replace('/', '%2F'), packumentSchema, name)
      if (!document) throw notFound(`The registry has no package named ${name}.`)
      const { versions, time, 'dist-tags': tags } = document
      const tagged = Object.hasOwn(tags, range) ? tags[range] : undefined
      const wanted = range === 'latest' || tagged === undefined ? range : tagged
      const isAllowed = ({ version, deprecated }: Version) => {
        if (wanted !== 'latest') return semver.satisfies(version, wanted)
        // As in npm, what was published under another tag, or is marked as deprecated, is not the latest version.
        return !deprecated && semver.satisfies(version, '*') && !(tags.latest && semver.gt(version, tags.latest))
      }
      const delay = settings().releaseDelayHours * HOUR
      const releases = Object.values(versions)
        .filter(isAllowed)
        .map(({ version, dist }) => {
          const published = Date.parse(time[version] ?? '')
          const end = Number.isNaN(published) ? Number.POSITIVE_INFINITY : published + delay
          return {
            ...{ name, version, dist, published: Number.isNaN(published) ? undefined : published },
            heldUntil: delay > 0 && end > Date.now() ? end : undefined,
          }
        })
      const newestOf = (some: readonly Release[]) => {
        const newest = semver.maxSatisfying(
          some.map(({ version }) => version),
          '*',
          { includePrerelease: true },
        )
        return some.find(({ version }) => version === newest)
      }
      const release = newestOf(releases.filter(({ heldUntil }) => heldUntil === undefined)) ?? newestOf(releases)
      if (!release) throw notFound(`The registry has no version ${range} of ${name}.`)
      return release
    },
    async download(release) {
      const { name, version, dist } = release
      const content = await request(dist.tarball, MAX_PACKAGE, `${name} ${version}`)
      if (!content) throw unavailable(`The registry has no file for ${name} ${version}.`)
      checkIntegrity(content, dist.integrity, `${name} ${version}`)
      const signedBy = await checkSignatureOf(release)
      const hasProvenance = dist.attestations?.provenance !== undefined
      return {
        content,
        signedBy,
        hasProvenance,
        provenance: hasProvenance ? await provenanceOf(release, content) : null,
      }
    },
    async search(words) {
      const query = new URLSearchParams({ text: `keywords:${KEYWORD} ${words}`.trim(), size: '20' })
      const found = await read(`-/v1/search?${query}`, searchSchema, 'the search')
      if (!found) throw conflict('This registry does not support search. Enter the name of the package instead.')
      return found.objects.map(({ package: { name, version, description, date, publisher, links } }) => ({
        ...{ name, version, description, date: date ?? null, author: publisher?.username ?? null },
        homepage: links?.homepage ?? links?.repository ?? null,
      }))
    },
  }
}

/** Downloads a package from any public server. @throws RestError `package_unavailable` */
export async function downloadUrl(url: string): Promise<Buffer> {
  try {
    const content = await readUrl(url, MAX_PACKAGE, { allowsAnyPort: true })
    if (!content) throw new Error('HTTP 404')
    return content
  } catch (error) {
    throw unavailable(`The package could not be downloaded: ${messageOf(error)}`)
  }
}

/** @returns `undefined` for 404 @throws Error for other statuses, and what `requestPublic` and `readResponse` throw */
async function readUrl(
  url: string,
  maxBytes: number,
  request: Omit<PublicRequest, 'signal'>,
): Promise<Buffer | undefined> {
  const { url: at, response } = await requestPublic(url, { ...request, signal: AbortSignal.timeout(TIME_LIMIT) })
  if (response.statusCode === 200) return readResponse(at, response, { maxBytes })
  response.destroy()
  if (response.statusCode === 404) return undefined
  throw new Error(`HTTP ${response.statusCode}`)
}
