import { join } from 'node:path'
import type { TrustedRoot } from '@sigstore/protobuf-specs'
import { z } from 'zod'
import { messageOf } from '../../core/errors.ts'
import type { Logger } from '../../core/log.ts'
import { conflict } from './errors.ts'
import type { PackageSettings } from './settings.ts'

/** What a statement about the build of a package is called: https://slsa.dev/spec/v1.0/provenance */
const PROVENANCE = 'https://slsa.dev/provenance/'

/** What a registry responds with at `/-/npm/v1/attestations/<name>@<version>`. */
export const attestationsSchema = z.object({
  attestations: z.array(z.object({ predicateType: z.string(), bundle: z.unknown() })),
})

/** https://github.com/in-toto/attestation/blob/main/spec/v1/statement.md */
const statementSchema = z.object({
  predicateType: z.string().startsWith(PROVENANCE),
  subject: z.array(z.object({ name: z.string(), digest: z.object({ sha512: z.string() }) })),
})

/** A file that a statement must be about. */
export interface Attested {
  readonly name: string
  readonly version: string
  /** `sha512-…` of the file. */
  readonly integrity: string
}

/** Verifies where packages were built. */
export interface Provenance {
  /**
   * @returns the workflow that built the file, as the certificate of the signature names it:
   * `https://github.com/…/release.yml@refs/tags/v1.0.0`; `null` if the keys of Sigstore are unavailable
   * @throws RestError `package_conflict` if the statement is not about this file, or its signature is not valid
   */
  verify(attested: Attested, document: z.output<typeof attestationsSchema>): Promise<string | null>
}

/** @param cache - A folder for the keys of the public Sigstore instance, which are kept up to date by The Update Framework. */
export function createProvenance(settings: () => PackageSettings, cache: string, log: Logger): Provenance {
  async function findRoot(): Promise<TrustedRoot | undefined> {
    const { sigstoreRoot } = settings()
    // Not in the `try`: a site with its own keys must never fall back to unverified packages.
    if (sigstoreRoot !== '') {
      const { TrustedRoot: format } = await import('@sigstore/protobuf-specs')
      return format.fromJSON(JSON.parse(sigstoreRoot))
    }
    try {
      const { getTrustedRoot } = await import('@sigstore/tuf')
      return await getTrustedRoot({ cachePath: join(cache, 'sigstore') })
    } catch (error) {
      log.warn({ err: error }, 'provenance not verified: the Sigstore keys are unavailable')
      return undefined
    }
  }

  return {
    async verify(attested, { attestations }) {
      const root = await findRoot()
      if (!root) return null
      try {
        return await verifyBundle(attested, attestations.find(isProvenance)?.bundle, root)
      } catch (error) {
        throw conflict(
          `The provenance statement for ${attested.name} ${attested.version} is invalid, so the package was not installed. ${messageOf(error)}`,
        )
      }
    },
  }
}

const isProvenance = ({ predicateType }: { readonly predicateType: string }) => predicateType.startsWith(PROVENANCE)

/** @returns the workflow @throws Error */
async function verifyBundle({ name, version, integrity }: Attested, json: unknown, root: TrustedRoot): Promise<string> {
  const [{ bundleFromJSON }, { toSignedEntity, toTrustMaterial, Verifier }] = await Promise.all([
    import('@sigstore/bundle'),
    import('@sigstore/verify'),
  ])
  const { content, ...material } = bundleFromJSON(json)
  if (content.$case !== 'dsseEnvelope') throw new Error('The statement is not an attestation.')
  const signer = new Verifier(toTrustMaterial(root)).verify(toSignedEntity({ content, ...material }))
  const { subject } = statementSchema.parse(JSON.parse(content.dsseEnvelope.payload.toString('utf8')))
  const sha512 = Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex')
  const url = `pkg:npm/${name.replace('@', '%40')}@${version}`
  if (!subject.some((one) => one.name === url && one.digest.sha512 === sha512)) {
    throw new Error('The statement is about a different file.')
  }
  const workflow = signer.identity?.subjectAlternativeName
  // Certificates of people name their email address.
  if (!workflow?.startsWith('https://')) throw new Error('The signing certificate does not name a workflow.')
  return workflow
}
