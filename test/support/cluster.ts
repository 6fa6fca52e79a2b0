/** Two nodes with nothing in common but PostgreSQL, and a bucket where one is given. */
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { type IncomingHttpHeaders, request } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect } from 'chai'
import { Client } from 'pg'
import { pentad, type RunningSite, startPentad } from './pentad.ts'
import { createEmptyPostgresDatabase } from './postgres.ts'
import type { SessionHeaders } from './session.ts'
import { temporaryFolder } from './site-folder.ts'

export const PASSWORD = 'correct horse battery'

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
  readonly body: string
}

export interface Sent {
  /** Whether as the administrator, with an application password. */
  readonly asAdmin?: boolean
  /** An object is sent as JSON. */
  readonly body?: object | Uint8Array
  readonly headers?: Readonly<Record<string, string>> | SessionHeaders
  readonly signal?: AbortSignal
}

/** The fields of posts and media that the tests read. */
export interface Written {
  readonly id: number
  readonly link: string
  readonly source_url: string
  readonly media_details: { readonly sizes: Readonly<Record<string, { readonly source_url: string }>> }
}

export interface Cluster {
  readonly databaseUrl: string
  /** Runs SQL beside the nodes. @returns the rows */
  query(text: string): Promise<Record<string, unknown>[]>
  readonly folders: readonly string[]
  readonly nodes: RunningSite[]
  urlOf(node: number): string
  /** Sends a request to a node as a load balancer does. */
  send(node: number, method: string, path: string, sent?: Sent): Promise<Answer>
  /** Writes over REST as the administrator, and resolves to the answer. */
  write(node: number, path: string, body: object): Promise<Written>
  /** Starts a node that has ended. @param command - The file that Node runs, such as that of another version. */
  start(node: number, command?: string): Promise<void>
  end(): Promise<void>
}

/**
 * @param configure - Further configuration of a node.
 * @param ports - Of the nodes; default: free ones, others after each start.
 */
export async function startCluster(
  configure: (node: number, databaseUrl: string) => Readonly<Record<string, unknown>> = () => ({}),
  ports: readonly number[] = [0, 0],
): Promise<Cluster> {
  const databaseUrl = await createEmptyPostgresDatabase()
  const folders = [temporaryFolder(), temporaryFolder()]
  const secretKey = Buffer.alloc(32, 7).toString('base64url')
  const config = {
    databaseUrl,
    secretKey,
    nodes: 'many',
    url: 'http://site.example',
    adminPassword: PASSWORD,
    trustedProxies: ['127.0.0.1'],
  }
  for (const [node, folder] of folders.entries()) {
    writeFileSync(join(folder, 'config.json'), JSON.stringify({ ...config, ...configure(node, databaseUrl) }))
  }
  const nodes: RunningSite[] = []
  const launch = (node: number, command?: string) =>
    startPentad(folders[node] ?? '', ['--port', String(ports[node])], { ...(command !== undefined && { command }) })
  for (const node of folders.keys()) nodes.push(await launch(node))
  const { output } = await pentad(folders[0] ?? '', ['user', 'app-password', 'admin', 'test'])
  const password = output.match(/(?:\w{4} ){5}\w{4}/)?.[0] ?? ''

  const urlOf = (node: number) => nodes[node]?.url ?? ''

  const send: Cluster['send'] = (node, method, path, sent = {}) => {
    const authorization = `Basic ${btoa(`admin:${password}`)}`
    const headers = { ...sent.headers, ...(sent.asAdmin && { authorization }) }
    return sendTo(new URL(path, urlOf(node)), method, { ...sent, headers })
  }

  return {
    ...{ databaseUrl, folders, nodes, urlOf, send },
    query: (text) => queryDatabase(databaseUrl, text),
    async write(node, path, body) {
      const { status, body: answer } = await send(node, 'POST', `/wp-json${path}`, { asAdmin: true, body })
      expect(status, answer).to.be.within(200, 299)
      return JSON.parse(answer)
    },
    async start(node, command) {
      nodes[node] = await launch(node, command)
    },
    async end() {
      await Promise.all(nodes.map((node) => node.end()))
    },
  }
}

/** Sends a request as a load balancer or a visitor of a cache does. */
export async function sendTo(url: URL, method: string, { body, headers, signal }: Sent = {}): Promise<Answer> {
  const isJson = body !== undefined && !(body instanceof Uint8Array)
  const sent = request(url, {
    method,
    ...(signal && { signal }),
    headers: { host: 'site.example', ...headers, ...(isJson && { 'content-type': 'application/json' }) },
  })
  sent.end(isJson ? JSON.stringify(body) : body)
  const [response] = await once(sent, 'response')
  const bytes = await buffer(response)
  return { status: response.statusCode, headers: response.headers, bytes, body: bytes.toString() }
}

async function queryDatabase(connectionString: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString })
  await client.connect()
  return client
    .query(text)
    .then(({ rows }) => rows)
    .finally(() => client.end())
}
