import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js'
import type { User } from 'pentad'
import type { TestHost } from 'pentad/testing'

export const CALLBACK = 'http://127.0.0.1:4567/callback'
const PASSWORD = 'correct horse battery'

/** What an MCP client on the user's device stores, and the URL that it has opened in the browser. */
export class McpClientState implements OAuthClientProvider {
  readonly redirectUrl = CALLBACK
  readonly clientMetadata = { redirect_uris: ['http://127.0.0.1:1/callback'], client_name: 'Test agent' }
  opened = new URL('http://127.0.0.1')
  #client: OAuthClientInformationMixed | undefined
  #tokens: OAuthTokens | undefined
  #verifier = ''

  state = () => 'a state'
  clientInformation = () => this.#client
  tokens = () => this.#tokens
  codeVerifier = () => this.#verifier
  saveClientInformation(client: OAuthClientInformationMixed) {
    this.#client = client
  }
  saveTokens(tokens: OAuthTokens) {
    this.#tokens = tokens
  }
  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier
  }
  redirectToAuthorization(url: URL) {
    this.opened = url
  }
}

/** A user in a browser. */
export interface McpUser {
  readonly user: User
  call(
    method: string,
    path: string,
    body?: object,
  ): Promise<{ status: number; body: { code?: string; data?: unknown } }>
  /** Decides about the request of a client. @returns the URL that the browser is sent to */
  decide(request: URL, approve: boolean): Promise<URL>
}

export async function createMcpUser(site: TestHost, role: string): Promise<McpUser> {
  const { auth } = site.host
  const user = await auth.users.create({ login: `oauth-${role}`, roles: [role], password: PASSWORD })
  const signedIn = await auth.startSession(user, { address: '127.0.0.1', userAgent: 'test' })
  const [cookie = ''] = auth.sessionCookie(signedIn).split(';')
  const identity = await auth.identifyPage({ cookie, address: '' })
  await auth.confirmPassword(identity, PASSWORD, '')
  const headers = { Cookie: cookie, 'X-WP-Nonce': auth.createNonce('wp_rest', identity) }

  async function call(method: string, path: string, body?: object) {
    const response = await site.request(`/wp-json/host/v1${path}`, { method, headers, body })
    const parsed: { code?: string; data?: unknown } = JSON.parse(await response.text())
    return { status: response.status, body: parsed }
  }
  return {
    user,
    call,
    async decide(request, approve) {
      const { body } = await call('POST', '/oauth/consent', { ...Object.fromEntries(request.searchParams), approve })
      return new URL(JSON.parse(JSON.stringify(body)).data.redirect)
    },
  }
}
