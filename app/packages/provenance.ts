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

/**
 * The keys and certificates that statements are verified with: those of the public Sigstore instance, which are kept up to date by The
 * Update Framework, or those of the settings.
 *
 * @param cache - A folder for those of the public instance.
 * @returns `undefined` if they are unavailable
 */
export async function findTrustedRoot(
  { sigstoreRoot }: Pick<PackageSettings, 'sigstoreRoot'>,
  cache: string,
  log: Logger,
): Promise<TrustedRoot | undefined> {
  try {
    if (sigstoreRoot !== '') {
      const { TrustedRoot: format } = await import('@sigstore/protobuf-specs')
      return format.fromJSON(JSON.parse(sigstoreRoot))
    }
    const { getTrustedRoot } = await import('@sigstore/tuf')
    return await getTrustedRoot({ cachePath: join(cache, 'sigstore') })
  } catch (error) {
    log.warn({ err: error }, 'provenance not verified: the keys of Sigstore are unavailable')
    return undefined
  }
}

/**
 * Verifies the author's statement about where a package was built.
 *
 * @returns the workflow that built it, as the certificate of the signature names it: `https://github.com/…/release.yml@refs/tags/v1.0.0`
 * @throws RestError `package_conflict` if the statement is not about this file, or its signature is not valid
 */
export async function verifyProvenance(
  attested: Attested,
  { attestations }: z.output<typeof attestationsSchema>,
  root: TrustedRoot,
): Promise<string> {
  const [{ bundleFromJSON }, { toSignedEntity, toTrustMaterial, Verifier }] = await Promise.all([
    import('@sigstore/bundle'),
    import('@sigstore/verify'),
  ])
  try {
    const found = attestations.find(({ predicateType }) => predicateType.startsWith(PROVENANCE))
    const { content, ...material } = bundleFromJSON(found?.bundle)
    if (content.$case !== 'dsseEnvelope') throw new Error('It is not an attestation.')
    const signer = new Verifier(toTrustMaterial(root)).verify(toSignedEntity({ content, ...material }))
    const { subject } = statementSchema.parse(JSON.parse(content.dsseEnvelope.payload.toString('utf8')))
    const sha512 = Buffer.from(attested.integrity.replace('sha512-', ''), 'base64').toString('hex')
    const url = `pkg:npm/${attested.name.replace('@', '%40')}@${attested.version}`
    if (!subject.some(({ name, digest }) => name === url && digest.sha512 === sha512)) {
      throw new Error('It is about another file.')
    }
    const workflow = signer.identity?.subjectAlternativeName
    if (workflow === undefined) throw new Error('Its certificate names no workflow.')
    return workflow
  } catch (error) {
    throw conflict(
      `The statement about where ${attested.name} ${attested.version} was built (provenance) is invalid. It was not installed. ${messageOf(error)}`,
    )
  }
}
