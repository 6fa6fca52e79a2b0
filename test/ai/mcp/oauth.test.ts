import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { expect } from 'chai'
import { createTestHost, type TestHost } from 'pentad/testing'
import { AI } from '../ai-plugin.ts'
import { CALLBACK, createMcpUser, McpClientState, type McpUser } from './mcp-user.ts'

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' }

describe('/mcp with OAuth', () => {
  let site: TestHost
  let ann: McpUser
  before(async () => {
    site = await createTestHost({ extensions: [AI] })
    ann = await createMcpUser(site, 'author')
  })
  after(() => site.close())

  const transportOf = (state: McpClientState) =>
    new StreamableHTTPClientTransport(new URL('/mcp', site.url), { authProvider: state })
  const open = async (state: McpClientState) => {
    const client = new Client({ name: 'test', version: '1.0.0' })
    await client.connect(transportOf(state))
    return client
  }

  /** A client that has sent its user to the site. */
  async function waiting(): Promise<McpClientState> {
    const state = new McpClientState()
    const error = await open(state).catch((thrown: unknown) => thrown)
    expect(error).to.be.an('error').with.property('message', 'Unauthorized')
    return state
  }
  async function connected(): Promise<McpClientState> {
    const state = await waiting()
    const target = await ann.decide(state.opened, true)
    await transportOf(state).finishAuth(target.searchParams.get('code') ?? '')
    return state
  }
  async function token(fields: Record<string, string>) {
    const response = await fetch(new URL('/oauth/token', site.url), {
      method: 'POST',
      body: new URLSearchParams(fields),
    })
    return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) }
  }
  const register = (body: object) => site.request('/oauth/register', { method: 'POST', body })
  const ping = (accessToken: string | undefined) =>
    site.request('/mcp', {
      ...{ method: 'POST', body: PING },
      headers: { Accept: 'application/json, text/event-stream', Authorization: `Bearer ${accessToken}` },
    })
  const refreshWith = (state: McpClientState, refreshToken: string | undefined) =>
    token({
      grant_type: 'refresh_token',
      refresh_token: refreshToken ?? '',
      client_id: state.clientInformation()?.client_id ?? '',
    })
  const codeFields = (state: McpClientState, target: URL) => ({
    grant_type: 'authorization_code',
    code: target.searchParams.get('code') ?? '',
    client_id: state.clientInformation()?.client_id ?? '',
    code_verifier: state.codeVerifier(),
    redirect_uri: CALLBACK,
  })

  it('connects the official client, which registers itself and asks its user', async () => {
    const client = await open(await connected())
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name))
      .to.include('content__draft-post')
      .and.not.include('core__change-settings')
    const drafted = await client.callTool({ name: 'content__draft-post', arguments: { title: 'With OAuth' } })
    expect(drafted.structuredContent).to.include({ status: 'draft' })
    await client.close()
  })

  it('names the client, and returns to it with its state and the issuer', async () => {
    const state = await waiting()
    expect(state.opened.pathname).to.equal('/wp-admin/authorize-client')
    const { body } = await ann.call('GET', `/oauth/consent?${state.opened.searchParams}`)
    expect(body.data).to.deep.equal({ name: 'Test agent' })
    const target = await ann.decide(state.opened, true)
    expect(target.href.startsWith(`${CALLBACK}?`)).to.equal(true)
    expect(target.searchParams.get('state')).to.equal('a state')
    expect(target.searchParams.get('iss')).to.equal(site.url)
  })

  it('tells a client that its user rejected it, without a code', async () => {
    const { searchParams } = await ann.decide((await waiting()).opened, false)
    expect([searchParams.get('error'), searchParams.get('code')]).to.deep.equal(['access_denied', null])
  })

  it('refreshes an expired access token; each refresh token is valid once', async () => {
    const state = await connected()
    const first = state.tokens()
    await site.host.database.db
      .updateTable('oauth_tokens')
      .set({ expires_gmt: '2020-01-01 00:00:00' })
      .where('kind', '=', 'access')
      .execute()
    expect((await ping(first?.access_token)).headers.get('WWW-Authenticate')).to.include('error="invalid_token"')
    await (await open(state)).close()
    const second = state.tokens()
    expect(second?.access_token).to.not.equal(first?.access_token)
    expect(second?.refresh_token).to.not.equal(first?.refresh_token)
    expect((await ping(second?.access_token)).status).to.equal(200)

    const stolen = await refreshWith(state, first?.refresh_token)
    expect([stolen.status, stolen.body.error]).to.deep.equal([400, 'invalid_grant'])
    expect((await ping(second?.access_token)).status).to.equal(401)
    expect((await refreshWith(state, second?.refresh_token)).body.error).to.equal('invalid_grant')
    const { items } = await site.host.auth.securityLog.query({ events: ['oauth_token_reused'], limit: 1, offset: 0 })
    expect(items[0]?.user?.login).to.equal('oauth-author')
  })

  it('accepts a code once, with its verifier, its client, and its redirect URL', async () => {
    const wrong: Record<string, string>[] = [
      { code_verifier: 'x'.repeat(43) },
      { client_id: (await connected()).clientInformation()?.client_id ?? '' },
      { redirect_uri: 'http://127.0.0.1:4567/other' },
    ]
    for (const change of wrong) {
      const state = await waiting()
      const fields = { ...codeFields(state, await ann.decide(state.opened, true)), ...change }
      expect((await token(fields)).body.error, JSON.stringify(change)).to.equal('invalid_grant')
    }
    const state = await waiting()
    const fields = codeFields(state, await ann.decide(state.opened, true))
    const both = await Promise.all([token(fields), token(fields)])
    expect(both.map(({ status }) => status).sort()).to.deep.equal([200, 400])
    expect(both[0]?.headers.get('Cache-Control')).to.equal('no-store')
  })

  it('issues tokens for the MCP server only, which do not open the REST API', async () => {
    const state = await waiting()
    const asked = new URL(state.opened)
    asked.searchParams.set('resource', 'https://other.example/mcp')
    expect((await ann.decide(asked, true)).searchParams.get('error')).to.equal('invalid_target')
    const fields = codeFields(state, await ann.decide(state.opened, true))
    expect((await token({ ...fields, resource: 'https://other.example/mcp' })).body.error).to.equal('invalid_target')
    const { body } = await token({ ...fields, resource: `${site.url}/mcp` })
    const headers = { Authorization: `Bearer ${body.access_token}` }
    expect((await site.get('/wp-json/wp/v2/users/me', { headers })).status).to.equal(401)
  })

  it('requires PKCE with S256, and redirects only to registered URLs', async () => {
    const { opened } = await waiting()
    for (const [name, value] of [
      ['code_challenge', ''],
      ['code_challenge_method', 'plain'],
      ['response_type', 'token'],
    ]) {
      const asked = new URL(opened)
      asked.searchParams.set(String(name), String(value))
      const { searchParams } = await ann.decide(asked, true)
      expect(searchParams.get('error'), name).to.match(/^(invalid_request|unsupported_response_type)$/)
    }
    for (const [name, value] of [
      ['redirect_uri', 'https://evil.example/'],
      ['client_id', 'unknown'],
    ]) {
      const asked = new URL(opened)
      asked.searchParams.set(String(name), String(value))
      const sent = { ...Object.fromEntries(asked.searchParams), approve: true }
      expect((await ann.call('POST', '/oauth/consent', sent)).body.code, name).to.match(
        /^invalid_(redirect_uri|client)$/,
      )
      expect((await ann.call('GET', `/oauth/consent?${asked.searchParams}`)).status, name).to.equal(400)
    }
  })

  it('requires a session whose password was confirmed', async () => {
    const { opened } = await waiting()
    const body = { ...Object.fromEntries(opened.searchParams), approve: true }
    const answer = await site.request('/wp-json/host/v1/oauth/consent', { method: 'POST', as: 'author', body })
    expect([answer.status, JSON.parse(await answer.text()).code]).to.deep.equal([403, 'application_password_forbidden'])
  })

  it('registers clients for secure redirect URLs only', async () => {
    const bad = ['http://example.org/', 'javascript:alert(1)', 'data:text/html,x', 'https://a.example/#part', 'no URL']
    for (const url of bad) {
      const answer = await register({ redirect_uris: [url] })
      expect([answer.status, JSON.parse(await answer.text()).error], url).to.deep.equal([400, 'invalid_redirect_uri'])
    }
    const good = { redirect_uris: ['https://a.example/back', 'cursor://anysphere.cursor/callback'] }
    const answer = await register({ ...good, token_endpoint_auth_method: 'client_secret_post' })
    expect(answer.status).to.equal(201)
    expect(JSON.parse(await answer.text())).to.include({ client_name: 'a.example', token_endpoint_auth_method: 'none' })
  })

  it('describes itself under .well-known', async () => {
    const read = async (path: string) => JSON.parse(await (await site.get(`/.well-known/${path}`)).text())
    const resource = await read('oauth-protected-resource/mcp')
    expect(resource).to.include({ resource: `${site.url}/mcp` })
    expect(resource.authorization_servers).to.deep.equal([site.url])
    const server = await read('oauth-authorization-server')
    expect(server).to.include({ issuer: site.url, token_endpoint: `${site.url}/oauth/token` })
    expect(server.code_challenge_methods_supported).to.deep.equal(['S256'])
  })

  describe('connections', () => {
    const path = () => `/users/${ann.user.id}/connections`
    async function listed(): Promise<{ id: string; name: string; lastUsed: string | null }[]> {
      const { body } = await ann.call('GET', path())
      return JSON.parse(JSON.stringify(body.data)).items
    }

    it('are listed with their last use, and end at once when they are revoked', async () => {
      const before = new Set((await listed()).map(({ id }) => id))
      const state = await connected()
      expect((await ping(state.tokens()?.access_token)).status).to.equal(200)
      const added = (await listed()).find(({ id }) => !before.has(id))
      expect(added).to.include({ name: 'Test agent' }).and.have.property('lastUsed').that.is.a('string')
      expect((await ann.call('DELETE', `${path()}/${added?.id}`)).status).to.equal(200)
      expect((await ping(state.tokens()?.access_token)).status).to.equal(401)
      expect((await refreshWith(state, state.tokens()?.refresh_token)).status).to.equal(400)
      expect((await ann.call('DELETE', `${path()}/${added?.id}`)).status).to.equal(404)
    })

    it('are those of the user only', async () => {
      const eve = await createMcpUser(site, 'editor')
      expect((await eve.call('GET', path())).status).to.equal(403)
      const id = (await listed())[0]?.id
      const unknown = await site.get(`/wp-json/host/v1/users/${'9'.repeat(30)}/connections`, { as: 'administrator' })
      expect(unknown.status).to.be.oneOf([200, 403, 404])
      expect((await eve.call('DELETE', `/users/${eve.user.id}/connections/${id}`)).status).to.equal(404)
      expect((await eve.call('DELETE', `${path()}/${id}`)).status).to.equal(403)
    })

    it('end when the password changes', async () => {
      const state = await connected()
      await site.host.auth.users.update(ann.user.id, { password: 'another long password' })
      expect((await ping(state.tokens()?.access_token)).status).to.equal(401)
    })
  })
})
