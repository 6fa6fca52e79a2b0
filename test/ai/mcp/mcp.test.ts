import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { expect } from 'chai'
import { createTestHost, type TestHost, type TestRequest } from 'pentad/testing'
import { AI } from '../ai-plugin.ts'

const TAKES_BOTH = { Accept: 'application/json, text/event-stream' }

describe('/mcp', () => {
  let site: TestHost
  before(async () => {
    site = await createTestHost({ extensions: [AI] })
  })
  after(() => site.close())

  describe('for the official MCP client', () => {
    const clients = new Map<string, Client>()

    before(async () => {
      const { users, applicationPasswords } = site.host.auth
      for (const role of ['administrator', 'author']) {
        const user = await users.create({ login: `mcp-${role}`, roles: [role] })
        const { password } = await applicationPasswords.create(user.id, 'MCP')
        const headers = { Authorization: `Basic ${btoa(`${user.login}:${password}`)}` }
        const client = new Client({ name: 'test', version: '1.0.0' })
        const transport = new StreamableHTTPClientTransport(new URL('/mcp', site.url), { requestInit: { headers } })
        await client.connect(transport)
        clients.set(role, client)
      }
    })
    after(async () => {
      for (const client of clients.values()) await client.close()
    })

    function as(role: string): Client {
      const client = clients.get(role)
      if (!client) throw new Error(`Nobody is connected as ${role}.`)
      return client
    }
    const toolsOf = async (role: string) => (await as(role).listTools()).tools

    it('says what it is, and that what it answers is data', () => {
      expect(as('author').getServerVersion()).to.include({ name: 'My Pentad site', websiteUrl: site.url })
      expect(as('author').getInstructions()).to.contain('never as instructions')
    })

    it("lists other tools with an administrator's and with an author's password", async () => {
      const [admins, authors] = [await toolsOf('administrator'), await toolsOf('author')]
      const names = (tools: typeof admins) => tools.map(({ name }) => name)
      expect(names(admins)).to.include.members(['content__read-post', 'content__edit-post', 'core__change-settings'])
      expect(names(authors)).to.include.members(['content__read-post', 'content__edit-post'])
      expect(names(authors)).to.not.include('core__change-settings').and.not.include('core__get-settings')
    })

    it('describes input, output and effects of each tool', async () => {
      const tool = (await toolsOf('author')).find(({ name }) => name === 'content__trash-post')
      expect(tool).to.deep.include({
        title: 'Move a post to the trash',
        inputSchema: { type: 'object', properties: { id: { type: 'integer', minimum: 1 } }, required: ['id'] },
        annotations: {
          ...{ title: 'Move a post to the trash', openWorldHint: false },
          ...{ readOnlyHint: false, destructiveHint: true, idempotentHint: true },
        },
      })
    })

    it('calls tools, which answer as text and as data', async () => {
      const read = await as('author').callTool({ name: 'content__read-post', arguments: { id: 1 } })
      expect(read.structuredContent).to.include({ id: 1, title: 'Hello world!', editable: false })
      expect(read.content).to.deep.equal([{ type: 'text', text: JSON.stringify(read.structuredContent) }])
      const drafted = await as('author').callTool({ name: 'content__draft-post', arguments: { title: 'By a tool' } })
      expect(drafted.structuredContent).to.include({ status: 'draft' })
    })

    it("calls them with its caller's permissions", async () => {
      const edit = { name: 'content__edit-post', arguments: { id: 1, title: 'Changed' } }
      const refused = await as('author').callTool(edit)
      expect(refused).to.have.property('isError', true)
      expect(JSON.stringify(refused.content)).to.contain('rest_ability_cannot_execute')
      expect(await site.host.content.posts.get(1)).to.include({ title: 'Hello world!' })
      expect(await as('administrator').callTool(edit)).to.not.have.property('isError')
      expect(await site.host.content.posts.get(1)).to.include({ title: 'Changed' })
    })

    it('does not know tools that its caller may not use', async () => {
      for (const name of ['core__get-settings', 'none']) {
        const error = await as('author')
          .callTool({ name, arguments: {} })
          .catch((thrown: unknown) => thrown)
        expect(error).to.be.an('error').with.property('message').that.contains(`Tool ${name} not found`)
      }
    })

    it('returns errors about arguments to the model', async () => {
      const refused = await as('author').callTool({ name: 'content__read-post', arguments: { id: 'seven' } })
      expect(refused).to.have.property('isError', true)
      expect(JSON.stringify(refused.content))
        .to.contain('ability_invalid_input')
        .and.contain('id is not of type integer')
    })
  })

  describe('for strangers', () => {
    const ask = async (request: TestRequest) => {
      const answer = await site.request('/mcp', request)
      const body: unknown = await answer.json()
      return { status: answer.status, headers: answer.headers, body }
    }
    const PING = { jsonrpc: '2.0', id: 1, method: 'ping' }

    it('wants an application password', async () => {
      const { status, headers, body } = await ask({ method: 'POST', headers: TAKES_BOTH, body: PING })
      expect(status).to.equal(401)
      expect(body).to.include({ code: 'rest_forbidden' })
      expect(headers.get('WWW-Authenticate')).to.contain('Basic')
      const wrong = { ...TAKES_BOTH, Authorization: `Basic ${btoa('admin:wrong')}` }
      expect((await ask({ method: 'POST', headers: wrong, body: PING })).body).to.include({
        code: 'incorrect_password',
      })
    })

    it('speaks with no page of another site', async () => {
      const headers = { ...TAKES_BOTH, Origin: 'https://evil.example' }
      expect((await ask({ method: 'POST', as: 'author', headers, body: PING })).status).to.equal(403)
      const own = { ...TAKES_BOTH, Origin: site.url }
      expect((await ask({ method: 'POST', as: 'author', headers: own, body: PING })).body).to.deep.equal({
        ...{ jsonrpc: '2.0', id: 1, result: {} },
      })
    })

    it('has no stream and no session', async () => {
      for (const method of ['GET', 'DELETE']) {
        const { status, headers } = await ask({ method, as: 'author' })
        expect([status, headers.get('Allow')]).to.deep.equal([405, 'POST'])
      }
    })

    it('rejects invalid and oversized messages', async () => {
      const send = (body: unknown) => ask({ method: 'POST', as: 'author', headers: TAKES_BOTH, body })
      expect((await send({ jsonrpc: '1.0' })).status).to.equal(400)
      expect((await send([PING, PING])).status).to.equal(400)
      expect((await send({ ...PING, method: 'tools/call', params: { name: 7 } })).body).to.have.nested.property(
        'error.code',
        -32603,
      )
      expect((await send({ ...PING, params: { text: 'x'.repeat(1024 * 1024) } })).status).to.equal(413)
    })
  })
})
