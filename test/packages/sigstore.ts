// cspell:ignore ctlogs fulcio intoto pkix rekor tlogs trustedroot
import { generateKeyPairSync, hash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { bundleToJSON } from '@sigstore/bundle'
import { fulcioHandler, initializeCA, initializeCTLog, initializeTLog, rekorHandler } from '@sigstore/mock'
import { HashAlgorithm, PublicKeyDetails, TrustedRoot } from '@sigstore/protobuf-specs'
import { DSSEBundleBuilder, FulcioSigner, RekorWitness } from '@sigstore/sign'

/** A Sigstore instance with keys of its own: it issues certificates, and logs signatures. */
export interface TestSigstore {
  /** `trusted_root.json` */
  readonly root: string
  /** Attests a file as npm does in a workflow. @param by whom the certificate names, by default `WORKFLOW` @returns what a registry responds with */
  attest(
    file: { readonly name: string; readonly version: string; readonly integrity: string },
    by?: string,
  ): Promise<object>
  close(): void
}

/** The workflow that all attestations name. */
export const WORKFLOW = 'https://github.com/ada/tools/.github/workflows/release.yml@refs/tags/v1.0.0'
const PREDICATE = 'https://slsa.dev/provenance/v1'

export async function startSigstore(): Promise<TestSigstore> {
  const keys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const ctLog = await initializeCTLog(keys())
  const ca = await initializeCA(keys(), ctLog)
  const tLogKeys = keys()
  const server = createServer(async (request, response) => {
    const handlers = [fulcioHandler(ca), rekorHandler(tLog)]
    const handler = handlers.find(({ path }) => path === request.url)
    const result = await handler?.fn(await text(request))
    response.writeHead(result?.statusCode ?? 404, { 'Content-Type': 'application/json' }).end(result?.response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  const tLog = await initializeTLog(url, tLogKeys)
  const validFor = { start: new Date(Date.now() - 3_600_000), end: undefined }
  const logOf = (key: Buffer, keyId: Buffer) => ({
    ...{
      baseUrl: url,
      hashAlgorithm: HashAlgorithm.SHA2_256,
      logId: { keyId },
      checkpointKeyId: undefined,
      operator: '',
    },
    publicKey: { rawBytes: key, keyDetails: PublicKeyDetails.PKIX_ECDSA_P256_SHA_256, validFor },
  })
  const bytes = ({ buffer, byteOffset, byteLength }: ArrayBufferView<ArrayBuffer>) =>
    Buffer.from(buffer, byteOffset, byteLength)
  const root = TrustedRoot.toJSON({
    mediaType: 'application/vnd.dev.sigstore.trustedroot+json;version=0.1',
    tlogs: [logOf(tLog.publicKey, Buffer.from(hash('sha256', tLog.publicKey, 'hex'), 'hex'))],
    ctlogs: [logOf(ctLog.publicKey, bytes(ctLog.logID))],
    certificateAuthorities: [
      {
        ...{ uri: url, operator: '', validFor, subject: { commonName: 'sigstore', organization: 'sigstore.mock' } },
        certChain: { certificates: [{ rawBytes: bytes(ca.rootCertificate) }] },
      },
    ],
    timestampAuthorities: [],
  })
  let signer = WORKFLOW
  const getToken = async () => {
    const claims = Buffer.from(JSON.stringify({ sub: signer, iss: 'https://token.actions.githubusercontent.com' }))
    return `${Buffer.from('{"alg":"none"}').toString('base64url')}.${claims.toString('base64url')}.x`
  }
  const builder = new DSSEBundleBuilder({
    signer: new FulcioSigner({ fulcioBaseURL: url, identityProvider: { getToken } }),
    witnesses: [new RekorWitness({ rekorBaseURL: url, entryType: 'intoto' })],
  })
  return {
    root: JSON.stringify(root),
    async attest({ name, version, integrity }, by = WORKFLOW) {
      signer = by
      const sha512 = Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex')
      const statement = {
        _type: 'https://in-toto.io/Statement/v1',
        subject: [{ name: `pkg:npm/${name}@${version}`, digest: { sha512 } }],
        predicateType: PREDICATE,
        predicate: { buildDefinition: {}, runDetails: {} },
      }
      const bundle = await builder.create({
        type: 'application/vnd.in-toto+json',
        data: Buffer.from(JSON.stringify(statement)),
      })
      return { attestations: [{ predicateType: PREDICATE, bundle: bundleToJSON(bundle) }] }
    },
    close: () => void server.close(),
  }
}
