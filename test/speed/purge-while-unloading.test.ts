import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { createTestHost } from '../../app/testing/index.ts'
import { createLog } from '../../core/log.ts'
import { createPurgeLog } from '../../plugins/speed/cache/purge-log.ts'
import { temporaryFolder } from '../support/site-folder.ts'

const CACHE = join(import.meta.dirname, '../../plugins/speed/cache')

/** Finds what another process purged when the extension is being unloaded already. */
const EXTENSION = `
import { join } from 'node:path'
import { defineExtension } from 'pentad'
import { createPageCache } from ${JSON.stringify(join(CACHE, 'index.ts'))}
import { createPurgeLog } from ${JSON.stringify(join(CACHE, 'purge-log.ts'))}
import { settingsSchema } from ${JSON.stringify(join(CACHE, '../settings.ts'))}
export default defineExtension({
  id: 'page-cache', name: 'Page cache', version: '1.0.0',
  setup(host) {
    const settings = host.settings.register(settingsSchema)
    const cache = createPageCache(host, settings)
    host.onDispose(() => cache.close())
    host.onDispose(() => {
      createPurgeLog(join(host.site.dir, 'cache/pages'), host.log).append({ tags: ['elsewhere'] })
      cache.purge({ tags: ['here'] })
    })
  },
})`

describe('A purge by another process', () => {
  it('that is detected while the page cache is being unloaded does not change the purge log', async () => {
    const folder = join(temporaryFolder(), 'page-cache')
    await mkdir(folder)
    await writeFile(join(folder, 'index.ts'), EXTENSION)
    const siteDir = join(temporaryFolder(), 'site')
    const site = await createTestHost({ extensions: [folder], config: { siteDir } })
    const lines = async () => (await readFile(join(siteDir, 'cache/pages/purges.log'), 'utf8')).trim().split('\n')
    const [before] = await lines()
    await site.close()
    const [after, ...purges] = await lines()
    expect(after).to.equal(before)
    expect(purges.join()).to.include('elsewhere').and.include('here')
  })

  it('with a failing callback does not change the purge log', () => {
    const folder = temporaryFolder()
    const log = createLog('silent')
    const onRemotePurge = () => {
      throw new Error('It fails.')
    }
    const purges = createPurgeLog(folder, log, { onRemotePurge })
    const before = purges.now()
    createPurgeLog(folder, log).append({ tags: ['elsewhere'] })
    expect(() => purges.follow()).to.throw('It fails.')
    expect(purges.now().epoch).to.equal(before.epoch)
    expect(purges.isPurged({ path: '/', tags: ['elsewhere'], moment: before })).to.equal(true)
  })
})
