import { expect } from 'chai'
import { createHost, defineExtension } from 'pentad/host'
import type { ExtensionSource } from '../../core/extensions/source.ts'
import { freePort } from '../support/free-port.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { until } from '../support/until.ts'

const hello = defineExtension({ id: 'hello', name: 'Hello', version: '1.0.0', setup() {} })
const goodbye = defineExtension({ id: 'goodbye', name: 'Goodbye', version: '1.0.0', setup() {} })

describe('Scans for extensions', () => {
  let host: Awaited<ReturnType<typeof createHost>>
  let scans = 0

  before(async () => {
    const counting: ExtensionSource = {
      async list() {
        scans++
        return []
      },
    }
    const config = { siteDir: temporaryFolder(), port: await freePort(), logLevel: 'silent' } as const
    host = await createHost(config, {
      extensions: [hello, goodbye],
      async join(joining) {
        joining.addExtensions(counting)
        return {}
      },
    })
  })
  after(() => host.close())

  it('come with an activation, and not again with the state that it stores', async () => {
    await host.extensions.deactivate('hello')
    await host.extensions.deactivate('goodbye')
    scans = 0
    await host.extensions.activate('hello')
    await new Promise((resolve) => setImmediate(resolve))
    expect(scans).to.equal(1)
  })

  it('come when another process has switched one', async () => {
    scans = 0
    const inactive = { state: 'inactive', reason: null }
    await host.options.update('host_extensions', { hello: inactive, goodbye: inactive })
    await until(() => host.extensions.running().length === 0)
    expect(scans).to.equal(1)
  })
})
