import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { pentad, type RunningSite, startPentad } from '../../test/support/pentad.ts'
import { temporaryFolder } from '../../test/support/site-folder.ts'
import type { Fault } from './faults.ts'

/** What visitors must not read: the text of a post that members only may read, and a part of another one. */
export const SECRETS = ['tombstone4711', 'mausoleum4712'] as const
/** What stands on every page, put there by an extension that does nothing wrong. */
export const HEALTHY = 'healthy-mark'

const HEALTHY_SOURCE = `import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { defineExtension } from 'pentad'
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')
export default defineExtension({ id: 'healthy', name: 'Healthy', version: '1.0.0', setup({ hooks, rest }) {
  hooks.addFilter('the_content', (html) => html + '<p>${HEALTHY} content</p>', 90)
  hooks.addAction('wp_footer', (output) => output.print('<p>${HEALTHY} footer</p>'))
  rest.registerRoute('healthy/v1', { method: 'GET', path: '/x', access: 'public', handler: () => ({ mark: '${HEALTHY}' }) })
  rest.registerRoute('healthy/v1', { method: 'GET', path: '/heap', access: 'public', handler() {
    collect()
    return { heap: process.memoryUsage().heapUsed }
  } })
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

/** A site served by `pentad start`, with extensions in its folder: all faulty ones are switched off at first. */
export interface FaultySite extends RunningSite {
  ask(path: string, request?: Fault['request']): Promise<Answer>
  states(): Promise<readonly ExtensionState[]>
  switch(id: string, to: 'activate' | 'deactivate'): Promise<Answer>
  /** Bytes of the heap after garbage was collected. */
  heap(): Promise<number>
}

/** @param config of `site/config.json` */
export async function startFaultySite(
  faults: readonly Fault[],
  config: Readonly<Record<string, unknown>> = {},
): Promise<FaultySite> {
  const siteDir = temporaryFolder()
  writeFileSync(join(siteDir, 'config.json'), JSON.stringify({ adminPassword: 'quiet orchard lantern', ...config }))
  const write = (id: string, source: string) => {
    mkdirSync(join(siteDir, 'extensions', id), { recursive: true })
    writeFileSync(join(siteDir, 'extensions', id, 'index.ts'), source)
  }
  write('healthy', HEALTHY_SOURCE)
  write('members', MEMBERS_SOURCE)
  for (const fault of faults) write(fault.id, sourceOf(fault))

  const made = await startPentad(siteDir)
  await made.end()
  const { output } = await pentad(siteDir, ['user', 'app-password', 'admin', 'test'])
  const password = /(?:[A-Za-z0-9]{4} ){5}[A-Za-z0-9]{4}/.exec(output)?.[0] ?? ''
  const authorization = `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`
  const site = await startPentad(siteDir)

  async function ask(path: string, { method = 'GET', body, asAdministrator }: Fault['request'] = {}): Promise<Answer> {
    const answer = await fetch(site.url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(asAdministrator ? { Authorization: authorization } : {}),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: answer.status, text: await answer.text(), headers: answer.headers }
  }
  const change = (path: string, body: unknown, method = 'POST') => ask(path, { method, body, asAdministrator: true })
  const switchTo = (id: string, to: string) => change(`/wp-json/host/v1/extensions/${id}/${to}`, {})

  const texts = [
    { slug: 'members-only', title: 'Members', content: `<p>${SECRETS[0]}</p>` },
    { slug: 'partly', title: 'Partly', content: `<p>Open. [members]${SECRETS[1]}[/members]</p>` },
    { slug: 'shortcode', title: 'Shortcode', content: '<p>Before [faulty] after</p>' },
  ]
  for (const id of ['healthy', 'members']) await switchTo(id, 'activate')
  for (const text of texts) await change('/wp-json/wp/v2/posts', { ...text, status: 'publish' })
  // Else a callback that never resolves takes its five seconds five times.
  await change(
    '/wp-json/host/v1/settings/host',
    { settings: { callbackTimeLimit: 300, requestTimeLimit: 3000 } },
    'PUT',
  )

  return {
    ...site,
    ask,
    async states() {
      const { text } = await ask('/wp-json/host/v1/extensions', { asAdministrator: true })
      return report.parse(JSON.parse(text)).data
    },
    switch: switchTo,
    async heap() {
      const { text } = await ask('/wp-json/healthy/v1/heap')
      return z.object({ heap: z.number() }).parse(JSON.parse(text)).heap
    },
  }
}
