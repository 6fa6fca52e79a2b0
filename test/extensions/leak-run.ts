/**
 * Run with `--expose-gc`: switches and reloads an extension with about 2 MB of modules many times and prints what is
 * left, as JSON.
 */
import { setImmediate as turn } from 'node:timers/promises'
import { createExtensionSite, extensionSource } from './extension-site.ts'

const CYCLES = 200
const RELOADS = 300
/** Until caches are filled and functions are compiled. */
const WARM_UP = 20

const ROWS = 2500

/** A helper file of about 250 KB. */
const bigFile = (seed: number) =>
  `export const rows = [${Array.from({ length: ROWS }, (_, index) => `'${String(seed * ROWS + index).padStart(95, 'row ')}'`)}]\n`

const HELPERS = 8
const names = Array.from({ length: HELPERS }, (_, index) => `part${index}`)
const source = extensionSource(
  'big',
  `
  host.hooks.addFilter('test_text', (text) => text + rows)
  host.hooks.addFilter('test_text_async', async (text) => text)
  host.rest.registerRoute('big/v1', { method: 'GET', path: '/rows', access: 'public', handler: () => ({ rows }) })
  host.settings.register(z.object({ color: z.string().default('red') }))
  host.jobs.schedule('tidy', 'hourly', () => {})
  host.jobs.define({ type: 'big', data: z.object({}), tick: async () => ({ done: true }) })
  host.jobs.createQueue({ name: 'big', work: async () => {} }).queue.push(1)
  host.auth.addRole('big', 'Big', ['read'])
  host.content.registerPostType({ name: 'big', label: 'Bigs', singularLabel: 'Big', hierarchical: false, public: true,
    restBase: null, taxonomies: [], supports: [], capabilityType: ['big', 'bigs'], description: '' })
  host.hooks.addAction('init', async () => { host.hooks.addAction('test_action', () => rows) })
  host.setInterval(() => {}, 60_000)
  host.setTimeout(() => {}, 60_000)
  host.fetch('http://127.0.0.1:1/').catch(() => {})
  const listen = () => {}
  process.on('SIGUSR2', listen)
  host.onDispose(() => process.off('SIGUSR2', listen))
  `,
  `import { z } from 'zod'\n${names.map((name) => `import * as ${name} from './lib/${name}.ts'`).join('\n')}
   const rows = [${names}].reduce((sum, part) => sum + part.rows.length, 0)`,
)

const site = await createExtensionSite()
site.write('big', { 'index.ts': source })
site.write('big', Object.fromEntries(names.map((name, index) => [`lib/${name}.ts`, bigFile(index)])))
await site.extensions.load()
await site.hooks.doActionAsync('init')

async function heap(): Promise<number> {
  for (let round = 0; round < 3; round++) {
    await turn()
    globalThis.gc?.()
  }
  return process.memoryUsage().heapUsed
}

/** What an extension could leave behind, apart from memory. */
const traces = () => ({
  listeners: site.hooks.inspect().reduce((sum, hook) => sum + hook.listeners.length, 0),
  routes: site.rest.routes().length,
  settings: site.settings.names().length,
  roles: site.auth.roles().size,
  postTypes: site.content.postTypes().size,
  timers: process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length,
  processListeners: process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0),
})

async function cycle(): Promise<void> {
  await site.extensions.activate('big')
  site.text()
  await site.extensions.deactivate('big')
}

async function request(): Promise<boolean> {
  const { status, body } = await site.ask('/big/v1/rows')
  return status === 200 && JSON.stringify(body) === `{"rows":${HELPERS * ROWS}}`
}

for (let round = 0; round < WARM_UP; round++) await cycle()
const before = { heap: await heap(), traces: traces() }

for (let round = 0; round < CYCLES; round++) await cycle()
const afterCycles = { heap: await heap(), traces: traces() }

await site.extensions.activate('big')
for (let round = 0; round < WARM_UP; round++) await site.extensions.reload('big')
const running = { heap: await heap(), traces: traces() }
let requests = 0
let failed = 0
for (let round = 0; round < RELOADS; round++) {
  const answers = [request(), request()]
  await site.extensions.reload('big')
  for (const good of await Promise.all(answers)) {
    requests++
    if (!good) failed++
  }
}
const afterReloads = { heap: await heap(), traces: traces() }
await site.extensions.deactivate('big')
const end = { heap: await heap(), traces: traces() }

process.stdout.write(JSON.stringify({ before, afterCycles, running, afterReloads, end, requests, failed }))
await site.close()
