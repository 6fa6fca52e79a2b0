import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { type RunningSite, startPentad } from '../../support/pentad.ts'
import { logIn } from '../../support/session.ts'
import { temporaryFolder } from '../../support/site-folder.ts'
import type { Fault, FaultRequest } from './fault.ts'
import { PASSWORD } from './faults.ts'

/** Milliseconds after which a visitor gives up. */
const ANSWER_TIME = 30_000

/** What visitors must not read: the text of a post that members only may read, and a part of another one. */
export const SECRETS = ['tombstone4711', 'mausoleum4712'] as const
/** What stands on every page, put there by an extension that does nothing wrong. */
export const HEALTHY = 'healthy-mark'

const HEALTHY_SOURCE = `import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { defineExtension } from 'pentad'
import { z } from 'zod'
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')
export default defineExtension({ id: 'healthy', name: 'Healthy', version: '1.0.0', setup({ abilities, hooks, rest }) {
  hooks.addFilter('the_content', (html) => html + '<p>${HEALTHY} content</p>', 90)
  hooks.addAction('wp_footer', (output) => output.print('<p>${HEALTHY} footer</p>'))
  rest.registerRoute('healthy/v1', { method: 'GET', path: '/x', access: 'public', handler: () => ({ mark: '${HEALTHY}' }) })
  rest.registerRoute('healthy/v1', { method: 'GET', path: '/heap', access: 'public', handler() {
    collect()
    return { heap: process.memoryUsage().heapUsed }
  } })
  abilities.registerCategory({ slug: 'healthy', label: 'Healthy', description: 'Healthy.' })
  abilities.register({ name: 'healthy/run', label: 'Run', description: 'Runs.', category: 'healthy', permission: 'public',
    readonly: true, output: z.object({ mark: z.string() }), execute: () => ({ mark: '${HEALTHY}' }) })
} })
`

/** Protects content in the two ways there are: who may read a post, and which part of its text. */
const MEMBERS_SOURCE = `import { defineExtension } from 'pentad'
export default defineExtension({ id: 'members', name: 'Members', version: '1.0.0', setup({ content, hooks }) {
  hooks.addFilter('read_post_caps', async (caps, id) =>
    (await content.posts.get(id))?.slug === 'members-only' ? ['do_not_allow'] : caps)
  hooks.addFilter('the_content', (html) => html.replace(/\\[members\\].*?\\[\\/members\\]/gs, '(for members)'), {
    priority: 95,
    onError: 'closed',
  })
} })
`

const sourceOf = ({ id, setup }: Fault) => `import { defineExtension } from 'pentad'
import { z } from 'zod'
export default defineExtension({ id: '${id}', name: '${id}', version: '1.0.0', async setup(host) {
  const { hooks, rest, content, options, jobs, abilities } = host
  ${setup}
} })
`

const report = z.object({
  data: z.array(z.object({ id: z.string(), state: z.string(), reason: z.string().nullable() })),
})

export type ExtensionState = z.output<typeof report>['data'][number]

export interface Answer {
  readonly status: number
  readonly text: string
  readonly headers: Headers
}

/** A site served by `pentad start`, with an extension that works and one that protects content. */
export interface FaultySite extends RunningSite {
  /** @param visit how often it was asked so far, for what the site does not take twice */
  ask(path: string, request?: FaultRequest, visit?: number): Promise<Answer>
  states(): Promise<readonly ExtensionState[]>
  /** Puts a faulty extension into the site's folder and switches it on. */
  install(fault: Fault): Promise<Answer>
  /** Switches it off and removes it. */
  uninstall(fault: Fault): Promise<Answer>
  /** Changes settings of the host, or of a service. */
  configure(name: string, settings: Readonly<Record<string, number | string>>): Promise<void>
  /** What lies on the disk for the page cache: each page with its headers and its text. */
  cachedPages(): readonly string[]
  /** Bytes of the heap after garbage was collected. */
  heap(): Promise<number>
}

/** @param config of `site/config.json` */
export async function startFaultySite(config: Readonly<Record<string, unknown>> = {}): Promise<FaultySite> {
  const siteDir = temporaryFolder()
  writeFileSync(join(siteDir, 'config.json'), JSON.stringify({ adminPassword: PASSWORD, ...config }))
  const folderOf = (id: string) => join(siteDir, 'extensions', id)
  const write = (id: string, source: string) => {
    mkdirSync(folderOf(id), { recursive: true })
    writeFileSync(join(folderOf(id), 'index.ts'), source)
  }
  write('healthy', HEALTHY_SOURCE)
  write('members', MEMBERS_SOURCE)

  const site = await startPentad(siteDir)
  const administrator = await logIn(site.url, 'admin', PASSWORD)

  async function ask(path: string, request: FaultRequest = {}, visit = 0): Promise<Answer> {
    const { method = 'GET', asAdministrator, body, form } = request
    const sent = typeof body === 'function' ? body(visit) : body
    const answer = await fetch(site.url + path, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_TIME),
      headers: {
        ...(asAdministrator ? administrator : {}),
        ...(sent === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
      ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
    })
    return { status: answer.status, text: await answer.text(), headers: answer.headers }
  }
  const change = (path: string, body: unknown, method = 'POST') => ask(path, { method, body, asAdministrator: true })
  const switchTo = (id: string, to: 'activate' | 'deactivate') => change(`/wp-json/host/v1/extensions/${id}/${to}`, {})

  const texts = [
    { slug: 'members-only', title: 'Members', content: `<p>${SECRETS[0]}</p>` },
    { slug: 'partly', title: 'Partly', content: `<p>Open. [members]${SECRETS[1]}[/members]</p>` },
    { slug: 'shortcode', title: 'Shortcode', content: '<p>Before [faulty] after</p>' },
    { slug: 'block', title: 'Block', content: '<p>Before</p><!-- wp:faulty/box -->after<!-- /wp:faulty/box -->' },
  ]
  for (const id of ['healthy', 'members']) await switchTo(id, 'activate')
  for (const text of texts) await change('/wp-json/wp/v2/posts', { ...text, status: 'publish' })
  await change('/wp-json/wp/v2/comments', { post: 1, content: 'A comment' })

  return {
    ...site,
    ask,
    async states() {
      const { text } = await ask('/wp-json/host/v1/extensions', { asAdministrator: true })
      return report.parse(JSON.parse(text)).data
    },
    install(fault) {
      write(fault.id, sourceOf(fault))
      return switchTo(fault.id, 'activate')
    },
    async uninstall({ id }) {
      const answer = await switchTo(id, 'deactivate')
      rmSync(folderOf(id), { recursive: true })
      return answer
    },
    async configure(name, settings) {
      const { status, text } = await change(`/wp-json/host/v1/settings/${name}`, { settings }, 'PUT')
      if (status !== 200) throw new Error(`The settings were refused: ${text}`)
    },
    cachedPages() {
      const pages = join(siteDir, 'cache', 'pages')
      if (!existsSync(pages)) return []
      return readdirSync(pages, { recursive: true, withFileTypes: true }).flatMap((entry) => {
        try {
          return entry.isFile() ? [readFileSync(join(entry.parentPath, entry.name), 'latin1')] : []
        } catch {
          // The cache has removed what is out of date.
          return []
        }
      })
    },
    async heap() {
      const { text } = await ask('/wp-json/healthy/v1/heap')
      return z.object({ heap: z.number() }).parse(JSON.parse(text)).heap
    },
  }
}
