import { generateKeyPairSync, sign } from 'node:crypto'
import { createServer } from 'node:http'
import { expect } from 'chai'
import { component, createSignature } from 'http-message-sig'
import type { TestHost } from 'pentad/testing'
import { generateNonce, jwkToKeyID, signatureHeaders } from 'web-bot-auth'
import { helpers, signerFromJWK } from 'web-bot-auth/crypto'
import { AT_HOME, BROWSER, clear, crawlersOf, GPTBOT, license, openVisitedSite, visit } from './visit-site.ts'

const DIRECTORY = '/.well-known/http-message-signatures-directory'

/** Cloudflare's signer with a key of its own. */
async function createSigner() {
  const { privateKey } = generateKeyPairSync('ed25519')
  const { kty = '', crv = '', x = '', d = '' } = privateKey.export({ format: 'jwk' })
  const keyId = await jwkToKeyID({ kty, crv, x }, helpers.WEBCRYPTO_SHA256, helpers.BASE64URL_DECODE)
  const signer = await signerFromJWK({ kty, crv, x, d })
  return { privateKey, keyId, publicKey: { kty, crv, x }, signer: Object.assign(signer, { keyid: keyId }) }
}

interface Signing {
  /** Value of `Signature-Agent`. */
  readonly as?: string
  readonly url?: string
  readonly created?: number
  readonly expires?: number
  readonly nonce?: string
  readonly signer: Awaited<ReturnType<typeof createSigner>>['signer']
}

describe('Web Bot Auth', () => {
  let site: TestHost
  let own: Awaited<ReturnType<typeof createSigner>>
  let keys: object[]
  let asked: string[]
  let status: number
  let agent: string
  let tests = 0
  const directory = createServer((_request, response) => {
    response.writeHead(status, { 'Content-Type': 'application/http-message-signatures-directory+json' })
    response.end(JSON.stringify({ keys }))
  }).listen(0, '127.0.0.1')

  before(async () => {
    own = await createSigner()
    site = await openVisitedSite()
    const address = directory.address()
    const port = address && typeof address === 'object' ? address.port : 0
    site.respond(async ({ url }) => {
      if (!url.endsWith(DIRECTORY)) return undefined
      asked.push(url)
      const answer = await fetch(`http://127.0.0.1:${port}${DIRECTORY}`)
      // Without the address that it came from: it plays another.
      return new Response(await answer.text(), { status: answer.status })
    })
  })
  beforeEach(async () => {
    status = 200
    keys = [own.publicKey]
    asked = []
    // The keys of a host are remembered.
    agent = `https://test-${++tests}.chatgpt.com`
    await license(site)
    await clear(site)
  })
  after(async () => {
    await site.close()
    directory.close()
    directory.closeAllConnections()
  })

  async function signed({ as = `"${agent}"`, url, created = 0, expires = 300, nonce, signer }: Signing) {
    const request = new Request(url ?? `${site.host.config.url}/hello-world/`, {
      headers: { 'Signature-Agent': as },
    })
    const at = (seconds: number) => new Date(Date.now() + seconds * 1000)
    const made = await signatureHeaders(request, signer, {
      created: at(created),
      expires: at(expires),
      ...(nonce !== undefined && { nonce }),
    })
    return {
      'Signature-Agent': as,
      Signature: made.Signature,
      'Signature-Input': made['Signature-Input'],
    }
  }

  const come = (headers: Record<string, string>, as = GPTBOT) =>
    visit(site, '/hello-world/', { ...headers, as, from: AT_HOME })
  const verdicts = async () =>
    (await crawlersOf(site)).crawlers.map(({ name, hits, verified }) => `${name} ${hits} ${verified}`)

  it('verifies who signed, wherever they come from', async () => {
    await come(await signed({ signer: own.signer }))
    expect(await verdicts()).to.deep.equal(['GPTBot 1 true'])
    expect(asked).to.deep.equal([`${agent}${DIRECTORY}`])
  })

  it('reads Signature-Agent as a dictionary, as newer drafts have it, beside the signature of a proxy', async () => {
    const { privateKey, keyId } = own
    const created = Math.floor(Date.now() / 1000)
    const headers = new Headers({ 'Signature-Agent': `bot="${agent}";type=directory` })
    const made = await createSignature(new Request(`${site.host.config.url}/hello-world/`, { headers }), {
      label: 'bot',
      components: ['@authority', component('signature-agent', { key: 'bot' })],
      parameters: { created, expires: created + 60, keyid: keyId, tag: 'web-bot-auth' },
      signer: { algorithm: 'ed25519', sign: (data) => sign(null, data, privateKey) },
    })
    await come({
      'Signature-Agent': headers.get('signature-agent') ?? '',
      Signature: `proxy=:AAAA:, ${made.signature}`,
      'Signature-Input': `proxy=("@method");created=${created};keyid="x", ${made.signatureInput}`,
    })
    expect(await verdicts()).to.deep.equal(['GPTBot 1 true'])
  })

  it('knows an assistant that comes with a browser’s User-Agent by its signature', async () => {
    await come(await signed({ signer: own.signer }), BROWSER)
    expect(await verdicts()).to.deep.equal(['ChatGPT agent 1 true'])
  })

  it('reads a directory once for many requests', async () => {
    for (let visits = 0; visits < 5; visits++) await come(await signed({ signer: own.signer, nonce: generateNonce() }))
    expect(await verdicts()).to.deep.equal(['GPTBot 5 true'])
    expect(asked).to.have.length(1)
  })

  for (const [what, make] of [
    ['has expired', { created: -600, expires: -120 }],
    ['is from the future', { created: 120 }],
    ['is good for longer than a day', { expires: 172_800 }],
    ['was made for another site', { url: 'https://elsewhere.example/hello-world/' }],
  ] as const) {
    it(`does not believe a signature that ${what}`, async () => {
      await come(await signed({ signer: own.signer, ...make }))
      expect(await verdicts()).to.deep.equal(['GPTBot 1 false'])
    })
  }

  it('does not believe a signature by a key that the directory does not have', async () => {
    const { signer } = await createSigner()
    await come(await signed({ signer }))
    expect(await verdicts()).to.deep.equal(['GPTBot 1 false'])
  })

  it('does not believe who says that the key is another one', async () => {
    const { signer } = await createSigner()
    await come(await signed({ signer: Object.assign(signer, { keyid: own.signer.keyid }) }))
    expect(await verdicts()).to.deep.equal(['GPTBot 1 false'])
  })

  it('ignores signatures of unknown operators, and sends them no requests', async () => {
    await come(await signed({ signer: own.signer, as: '"https://evil.example"' }))
    await come(await signed({ signer: own.signer, as: '"https://chatgpt.com.evil.example"' }))
    await come(await signed({ signer: own.signer, as: '"https://127.0.0.1"' }))
    expect(await verdicts()).to.deep.equal(['GPTBot 3 false'])
    expect(asked).to.deep.equal([])
  })

  it('does not believe one operator’s signature for the crawler of another', async () => {
    await come(await signed({ signer: own.signer }), 'ClaudeBot/1.0')
    expect(await verdicts()).to.deep.equal(['ClaudeBot 1 false'])
  })

  it('believes a nonce once', async () => {
    const headers = await signed({ signer: own.signer, nonce: generateNonce() })
    await come(headers)
    await come(headers)
    expect((await verdicts()).sort()).to.deep.equal(['GPTBot 1 false', 'GPTBot 1 true'])
  })

  it('does not believe a signature that was changed, is of another kind, or is no signature', async () => {
    const headers = await signed({ signer: own.signer })
    await come({ ...headers, 'Signature-Agent': '"https://openai.com"' })
    await come({ ...headers, 'Signature-Input': headers['Signature-Input'].replace('web-bot-auth', 'other') })
    await come({ ...headers, 'Signature-Input': headers['Signature-Input'].replace('"@authority" ', '') })
    await come({ ...headers, Signature: 'sig1=:AAAA:' })
    await come({ ...headers, Signature: 'nonsense', 'Signature-Input': '((((' })
    expect(await verdicts()).to.deep.equal(['GPTBot 5 false'])
  })

  it('does not believe a key before or after its time', async () => {
    keys = [{ ...own.publicKey, exp: Math.floor(Date.now() / 1000) - 10 }]
    await come(await signed({ signer: own.signer }))
    expect(await verdicts()).to.deep.equal(['GPTBot 1 false'])
  })

  it('goes on without a directory that is away or says something else', async () => {
    status = 500
    await come(await signed({ signer: own.signer }))
    expect(await verdicts()).to.deep.equal(['GPTBot 1 false'])
    await clear(site)
    agent = `https://test-${++tests}.chatgpt.com`
    status = 200
    keys = [{ kty: 'OKP' }, ...Array.from({ length: 200 }, () => own.publicKey)]
    await come(await signed({ signer: own.signer }))
    expect(await verdicts()).to.deep.equal(['GPTBot 1 false'])
  })

  it('sends no requests and shows nothing without a license', async () => {
    await site.host.license.remove()
    await come(await signed({ signer: own.signer }))
    expect((await crawlersOf(site)).crawlers[0]).to.not.have.property('verified')
    expect(asked).to.deep.equal([])
  })
})
