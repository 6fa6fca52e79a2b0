import { z } from 'zod'

const UNRELEASED = '## Unreleased\n'

/**
 * Arguments of npm for a CycloneDX document of what is bundled and what is installed with it. Without the workspace of the admin, which has
 * no version that npm could name.
 */
export const LIST_COMPONENTS =
  'sbom --sbom-format=cyclonedx --sbom-type=application --omit=dev --workspaces=false'.split(' ')

const component = z.object({
  ...{ name: z.string(), version: z.string(), group: z.string().optional() },
  licenses: z
    .array(
      z.object({
        license: z.object({ id: z.string().optional(), name: z.string().optional() }).optional(),
        expression: z.string().optional(),
      }),
    )
    .default([]),
})
const sbomSchema = z.object({ components: z.array(component) })
const namedSchema = z.looseObject({ metadata: z.looseObject({ component: z.looseObject({ name: z.string() }) }) })

/** The CycloneDX document with the name of the product, which npm takes from the folder of the repository. */
export function nameProduct(sbom: unknown, name: string): string {
  const document = namedSchema.parse(sbom)
  document.metadata.component.name = name
  return `${JSON.stringify(document, null, 2)}\n`
}

/** The changelog with a section for the version in place of the unreleased one, which is empty now. @throws Error if there is none */
export function closeSection(changelog: string, version: string, date: Date): string {
  const parts = changelog.split(UNRELEASED)
  if (parts.length !== 2) throw new Error('CHANGELOG.md must have one section "Unreleased".')
  return parts.join(`${UNRELEASED}\n## ${version} - ${date.toISOString().slice(0, 10)}\n`)
}

/** The source of a service, which has the version of the package, with another version. @throws Error if it states none */
export function setServiceVersion(source: string, version: string): string {
  const changed = source.replace(/^( {2}version: ')[^']*/m, `$1${version}`)
  if (!changed.includes(`\n  version: '${version}',\n`)) throw new Error('A service states no version.')
  return changed
}

/**
 * The `repository` of `package.json` for a git remote, with which npm attests where the packages were built.
 *
 * @param remote - `git@host:owner/name.git`, or a URL.
 * @throws Error if it names no repository on a server
 */
export function repositoryUrl(remote: string): string {
  const [, host, path] =
    /^(?:[\w.-]+@([\w.-]+):|(?:https|ssh):\/\/(?:[^@/]*@)?([\w.-]+)(?::\d+)?\/)([\w./-]+?)(?:\.git)?\/?$/
      .exec(remote)
      ?.filter((part) => part !== undefined) ?? []
  if (host === undefined || path === undefined) {
    throw new Error(
      'npm attests the origin of a package only if package.json names its repository. Set it there as "repository", or add the remote repository: git remote add origin https://…',
    )
  }
  return `git+https://${host}/${path}.git`
}

/** Whether a version (semver.org) is later than another one. An invalid one is not. */
export function isNewer(version: string, than: string): boolean {
  const [one, other] = [parse(version), parse(than)]
  if (!one || !other) return false
  for (const [index, part] of one.numbers.entries()) {
    const difference = part - (other.numbers[index] ?? 0)
    if (difference !== 0) return difference > 0
  }
  if (one.prerelease === other.prerelease) return false
  if (one.prerelease === '' || other.prerelease === '') return one.prerelease === ''
  return one.prerelease.localeCompare(other.prerelease, 'en', { numeric: true }) > 0
}

function parse(version: string): { numbers: number[]; prerelease: string } | undefined {
  const { core = '', prerelease = '' } =
    /^(?<core>\d+\.\d+\.\d+)(?:-(?<prerelease>[\da-z-]+(?:\.[\da-z-]+)*))?$/i.exec(version)?.groups ?? {}
  return core === '' ? undefined : { numbers: core.split('.').map(Number), prerelease }
}

/** `koa 3.3.0: MIT` for each component of a CycloneDX document, sorted. */
export function licenseReport(sbom: unknown): string {
  const { components } = sbomSchema.parse(sbom)
  const lines = components.map(({ group, name, version, licenses }) => {
    const names = licenses.map(({ license, expression }) => expression ?? license?.id ?? license?.name)
    return `${group ? `${group}/` : ''}${name} ${version}: ${names.join(', ') || 'unknown'}\n`
  })
  return [...new Set(lines)].sort().join('')
}
