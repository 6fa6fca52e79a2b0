import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { createLog } from '../../core/log.ts'
import { createPage } from '../../plugins/speed/cache/page.ts'
import { fileNameOf, writePage } from '../../plugins/speed/cache/page-file.ts'
import { createPageFiles } from '../../plugins/speed/cache/page-files.ts'
import { createPageFolder } from '../../plugins/speed/cache/page-folder.ts'
import { temporaryFolder } from '../support/site-folder.ts'

describe('createPageFiles', () => {
  const log = createLog('silent')
  const pageOf = (key: string) =>
    createPage(
      {
        ...{ key, path: key, status: 200, headers: [], tags: ['site'], moment: 0, software: '', renderedAt: 0 },
        ...{ maxAge: null, lastModified: null, optimizations: [], sizes: { identity: 4 }, hits: 0 },
      },
      { identity: Buffer.from('page') },
    )

  /** Files in a folder of their own; a page is valid as long as the test says so. */
  function createFiles() {
    const parent = join(temporaryFolder(), 'pages')
    mkdirSync(parent)
    const folder = createPageFolder(parent, log)
    const state = { isValid: true, follows: 0 }
    const files = createPageFiles({
      ...{ folder, log, limits: { bytes: 1_000_000, files: 1000 } },
      momentOf: ({ position }) => (position === 'known' ? 0 : undefined),
      async follow() {
        state.follows++
        return true
      },
      isValid: () => state.isValid,
    })
    return { parent, folder, files, state }
  }

  it('follows the log at most once for all files of an earlier one', async () => {
    const { folder, files, state } = createFiles()
    const path = folder.open()
    const keys = Array.from({ length: 20 }, (_, index) => `/page-${index}/`)
    for (const [index, key] of keys.entries()) {
      const origin = { writer: 'another', position: index === 7 ? 'known' : 'pruned' }
      await writePage(join(path, fileNameOf(key)), pageOf(key), origin)
    }
    await files.loadIndex(true)
    expect([...files.records].map(({ key }) => key)).to.deep.equal(['/page-7/'])
    expect(state.follows).to.equal(1)
    expect(readdirSync(path)).to.deep.equal([fileNameOf('/page-7/')])
    await files.close()
  })

  it('does not write a page into the next folder that was purged with the previous one', async () => {
    const { parent, folder, files, state } = createFiles()
    const path = folder.open()
    files.write('/', async () => {
      rmSync(path, { recursive: true })
      state.isValid = false
      return { page: pageOf('/'), origin: { writer: 'this', position: 'known' } }
    })
    await files.idle()
    expect(readdirSync(parent)).to.deep.equal([])
    await files.close()
  })
})
