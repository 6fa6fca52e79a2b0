import { deepEqual, equal, match } from 'node:assert/strict'
import { createTestHost, type TestHost } from 'pentad/testing'
import { z } from 'zod'
import { writeGuest } from './guests.ts'

const STEPS = `
  permissions: { storage: 1 },
  setup({ options, registerActivationHook, registerDeactivationHook }) {
    const note = (step) => options.modify('steps_log', (log) => [...(log ?? []), step])
    registerActivationHook(() => note('activated'))
    registerDeactivationHook(() => note('deactivated'))
  },
  async uninstall({ options }) {
    await options.update('steps_last', options.get('steps_log'))
    await options.delete('steps_log')
  },`

const pageOf = (parts: string) => `permissions: { adminPages: true }, setup({ admin }) {
  admin.addPage({ slug: 'orders', title: 'Orders', ${parts} }) },`
const button = (route: string) =>
  pageOf(`parts: [{ type: 'buttons', buttons: [{ label: 'Refresh', method: 'DELETE', route: '${route}' }] }]`)

for (const isolation of ['process', 'sandbox'] as const) {
  describe(`the steps of an extension in ${isolation === 'process' ? 'the process' : 'a sandbox'}`, () => {
    let host: TestHost
    before(async () => {
      host = await createTestHost()
    })
    after(() => host.close())
    const log = () => host.host.options.get('steps_log')

    it('run once when it is activated and deactivated, and when it is removed with its data', async () => {
      const { extensions, options } = host.host
      const id = await extensions.add(await writeGuest('steps', isolation, STEPS))
      await extensions.activate(id)
      deepEqual(log(), ['activated'])
      await extensions.reload(id)
      deepEqual(log(), ['activated'])
      await extensions.deactivate(id)
      deepEqual(log(), ['activated', 'deactivated'])
      await extensions.uninstall(id, true)
      equal(log(), undefined)
      deepEqual(options.get('steps_last'), ['activated', 'deactivated'])
    })
  })
}

describe('a sandboxed extension', () => {
  let host: TestHost
  before(async () => {
    host = await createTestHost()
  })
  after(() => host.close())

  async function activate(id: string, rest: string): Promise<string> {
    await host.host.extensions.add(await writeGuest(id, 'sandbox', rest))
    return host.host.extensions.activate(id).then(
      ({ pages }) => pages.join(),
      (error) => JSON.stringify(error.data),
    )
  }

  it('that never ran is removed without its uninstall', async () => {
    const { extensions } = host.host
    const rest = "permissions: { storage: 1 }, setup() {}, uninstall() { throw new Error('It ran.') },"
    const id = await extensions.add(await writeGuest('never', 'sandbox', rest))
    await extensions.uninstall(id, true)
    await extensions.activate(id)
    await extensions.deactivate(id)
    await extensions.uninstall(id, true).then(
      () => Promise.reject(new Error('It was removed.')),
      (error) => match(error.message, /It ran\./),
    )
  })

  it('reports where its setup was when it was terminated', async () => {
    match(
      await activate('endless', "setup() { for (;;) 'endless'.length },"),
      /setup needed more than 1000 ms of CPU time/,
    )
    const response = await host.get('/wp-json/host/v1/extensions/endless/sandbox', { as: 'administrator' })
    const { data } = z
      .object({
        data: z.object({ kills: z.array(z.object({ what: z.string(), reason: z.string(), stack: z.string() })) }),
      })
      .parse(await response.json())
    deepEqual(
      data.kills.map(({ what, reason }) => [what, reason]),
      [['setup', 'cpu']],
    )
    match(data.kills[0]?.stack ?? '', /at setup \(.*index\.js:\d+:\d+\)/)
  })

  it('adds pages to the admin, which use only its own routes', async () => {
    equal(await activate('pages', button('pages/v1/orders')), '/wp-admin/extension/pages/orders')
    const foreign = [
      ...['wp/v2/users/1', 'foreign/v1/../../wp/v2/users', 'foreign/v1/%2e%2e/%2e%2e/wp/v2/users', 'foreign/v1x/a'],
      'wp/v2/foreign/v1/a',
    ]
    for (const route of foreign) match(await activate('foreign', button(route)), /may use only routes of foreign\/v1/)
    const table = pageOf("parts: [{ type: 'table', route: 'wp/v2/users', columns: [{ key: 'id', label: 'ID' }] }]")
    match(await activate('tables', table), /may use only routes of tables\/v1/)
    const details = (route: string, form: string) =>
      pageOf(`parts: [{ type: 'table', route: 'detailed/v1/a', columns: [{ key: 'id', label: 'ID' }],
        details: { title: 'A', route: '${route}',
          parts: [{ type: 'form', title: 'F', fields: [], button: { label: 'B', route: '${form}' } }] } }]`)
    for (const [route, form] of [
      ['wp/v2/users/{id}', 'detailed/v1/b'],
      ['detailed/v1/b', 'wp/v2/users/{id}'],
    ] as const)
      match(await activate('detailed', details(route, form)), /may use only routes of detailed\/v1, not wp\/v2\/users/)
    match(await activate('modules', pageOf("module: '/etc/passwd'")), /has a module/)
    const without = pageOf("parts: [{ type: 'text', text: 'Hi' }]").replace('adminPages: true', '')
    match(await activate('without', without), /A page in the admin is not allowed/)
  })
})
