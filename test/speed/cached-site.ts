import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type IncomingHttpHeaders, request as send } from 'node:http'
import { join } from 'node:path'
import { createTestHost, type TestHost, type TestHostOptions } from '../../app/testing/index.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { OPTIMIZER_OFF } from './optimizer-off.ts'

const SPEED = join(import.meta.dirname, '../../plugins/speed')

/** A folder for a new site that has these settings of the performance service from its first moment on. */
export function siteWith(settings: Readonly<Record<string, unknown>>): string {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'options.json'), JSON.stringify({ speed_settings: settings }))
  return folder
}

/** A site with the performance service, all of the optimizer off: pages are rendered as the theme makes them. */
export async function startCachedSite(
  { extensions = [], ...options }: TestHostOptions = {},
  settings: Record<string, unknown> = {},
): Promise<TestHost> {
  const siteDir = siteWith({ preload: 'off', ...OPTIMIZER_OFF, vitalsSampleRate: 0, ...settings })
  const config = { siteDir, ...options.config }
  return createTestHost({ ...options, config, extensions: [SPEED, ...extensions] })
}

export interface RawAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** Sends exactly that, which `fetch` would not: other hosts, odd paths, no `Accept-Encoding`. */
export function ask(
  site: { readonly url: string },
  path: string,
  {
    method = 'GET',
    headers = {},
    body = '',
  }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<RawAnswer> {
  const { hostname, port } = new URL(site.url)
  return new Promise((resolve, reject) => {
    const request = send({ host: hostname, port, path, method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      )
    })
    request.once('error', reject)
    request.end(body)
  })
}

/** `HIT`, `MISS`, `BYPASS` or `STALE` of a GET. */
export async function cacheStateOf(site: { readonly url: string }, path: string, headers: Record<string, string> = {}) {
  return (await ask(site, path, { headers })).headers['x-cache']
}

/** How often pages were rendered, by path and query. */
export function countRenderings(site: TestHost): Map<string, number> {
  const renderings = new Map<string, number>()
  site.host.hooks.addAction('template_redirect', ({ request }) => {
    const query = request.query.toString()
    const url = query === '' ? request.path : `${request.path}?${query}`
    renderings.set(url, (renderings.get(url) ?? 0) + 1)
  })
  return renderings
}

/** Whether the cached page is on disk: its optimized files are generated, so it will not become stale on its own. */
export function isStored(siteDir: string, path: string): boolean {
  const entries = readdirSync(join(siteDir, 'cache/pages'), { recursive: true, withFileTypes: true })
  const pages = entries.filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
  return pages.some(({ parentPath, name }) => readFileSync(join(parentPath, name)).includes(`"key":"${path}"`))
}
