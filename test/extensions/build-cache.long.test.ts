import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect } from 'chai'
import { temporaryFolder } from '../support/site-folder.ts'
import { createExtensionSite, type ExtensionSite, extensionSource } from './extension-site.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc')

/** Bytes of the buffers that this process retains. */
async function arrayBuffers(): Promise<number> {
  await wait(1)
  collectGarbage()
  return process.memoryUsage().arrayBuffers
}

/** Files must be a little older than that to be believed unchanged. */
const YOUNG = 2_100

describe('what esbuild made of an extension', () => {
  /** Sites whose extension is built and kept, made together so that they grow old together. */
  let siteDirs: string[]

  before(async () => {
    siteDirs = Array.from({ length: 14 }, temporaryFolder)
    for (const siteDir of siteDirs) writeTool(siteDir)
    await wait(YOUNG)
  })

  function write(siteDir: string, files: Record<string, string>): void {
    for (const [name, text] of Object.entries(files)) {
      const file = join(siteDir, 'extensions', 'tool', name)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
    }
  }

  function writeTool(siteDir: string): void {
    write(siteDir, {
      'index.ts': extensionSource(
        'tool',
        `host.hooks.addFilter('test_text', (text) => text + word)`,
        `import { word } from './lib/word.ts'`,
      ),
      'lib/word.ts': `import { part } from 'common'\nexport const word: string = 'one' + part`,
      'node_modules/common/package.json': '{ "main": "main.js" }',
      'node_modules/common/main.js': `exports.part = '!'`,
      'node_modules/common/other.js': `exports.part = '?'`,
    })
  }

  /** Starts the site and answers what its extension says. */
  async function start(siteDir: string, work?: (site: ExtensionSite) => Promise<void>): Promise<string> {
    const site = await createExtensionSite({ siteDir })
    try {
      await site.extensions.load()
      await site.extensions.activate('tool')
      const text = site.text()
      await work?.(site)
      return text
    } finally {
      await site.close()
    }
  }

  const folder = (siteDir: string) => join(siteDir, 'cache', 'extensions')
  const files = (siteDir: string) => readdirSync(folder(siteDir)).map((name) => join(folder(siteDir), name))
  /** What tells files that were written again from those that were not. */
  const keptAt = (siteDir: string) =>
    existsSync(folder(siteDir)) ? files(siteDir).map((file) => `${file} ${statSync(file).ino}`) : []

  /** A site that was started once. */
  async function started(): Promise<string> {
    const siteDir = siteDirs.pop()
    if (!siteDir) throw new Error('make more sites')
    expect(await start(siteDir)).to.equal('one!')
    return siteDir
  }

  it('is kept in the site’s cache, for its owner only, and used by the next start', async () => {
    const siteDir = await started()
    expect(files(siteDir).map((file) => file.replace(/^.*\./, ''))).to.deep.equal(['bundle', 'metadata'])
    for (const file of files(siteDir)) expect(statSync(file).mode & 0o777).to.equal(0o600)
    const kept = keptAt(siteDir)
    expect(await start(siteDir)).to.equal('one!')
    expect(keptAt(siteDir)).to.deep.equal(kept)
  })

  it('is not used after a helper file has changed, even to the same length and time', async () => {
    const siteDir = await started()
    const helper = join(siteDir, 'extensions', 'tool', 'lib', 'word.ts')
    const { atime, mtime } = statSync(helper)
    writeFileSync(helper, readFileSync(helper, 'utf8').replace('one', 'two'))
    utimesSync(helper, atime, mtime)
    expect(await start(siteDir)).to.equal('two!')
  })

  it('is not used after a package has changed or another one came nearer', async () => {
    const siteDir = await started()
    write(siteDir, { 'node_modules/common/package.json': '{ "main": "other.js" }' })
    expect(await start(siteDir)).to.equal('one?')
    await wait(YOUNG)
    await start(siteDir)
    write(siteDir, { 'lib/node_modules/common/index.js': `exports.part = '.'` })
    expect(await start(siteDir)).to.equal('one.')
  })

  it('is used after the code of a package has changed, which is not in it', async () => {
    const siteDir = await started()
    const kept = keptAt(siteDir)
    write(siteDir, { 'node_modules/common/main.js': `exports.part = '!' // another one` })
    await wait(YOUNG)
    await start(siteDir)
    expect(keptAt(siteDir)).to.deep.equal(kept)
  })

  it('is built again where the files change while the site runs', async () => {
    const siteDir = await started()
    await start(siteDir, async (site) => {
      write(siteDir, { 'lib/word.ts': `export const word = 'three!'` })
      await site.extensions.reload('tool')
      expect(site.text()).to.equal('three!')
    })
    expect(await start(siteDir)).to.equal('three!')
  })

  it('is left aside where it is damaged', async () => {
    const siteDir = await started()
    for (const file of files(siteDir)) writeFileSync(file, readFileSync(file).subarray(0, -20))
    expect(await start(siteDir)).to.equal('one!')
    for (const file of files(siteDir)) writeFileSync(file, '')
    expect(await start(siteDir)).to.equal('one!')
  })

  it('is never run unless this site signed it', async () => {
    const siteDir = await started()
    const [bundle = ''] = files(siteDir)
    writeFileSync(bundle, readFileSync(bundle, 'utf8').replace('\\"one\\"', '\\"bad\\"'))
    expect(readFileSync(bundle, 'utf8')).to.contain('bad')
    expect(await start(siteDir)).to.equal('one!')
  })

  it('includes V8’s code, which the next start uses unless it is damaged or not signed', async () => {
    const siteDir = await started()
    const cache = (site: ExtensionSite) => site.loader.cacheCompiled()
    const compiled = () => keptAt(siteDir).filter((file) => file.includes('.compiled '))
    await start(siteDir, async (site) => cache(site))
    const [first = ''] = compiled()
    const [file = ''] = first.split(' ')
    expect(statSync(file).mode & 0o777).to.equal(0o600)
    await start(siteDir, async (site) => cache(site))
    expect(compiled()).to.deep.equal([first])
    const content = readFileSync(file)
    writeFileSync(
      file,
      content.map((byte, at) => (at === content.length - 100 ? byte ^ 1 : byte)),
    )
    expect(await start(siteDir, async (site) => cache(site))).to.equal('one!')
    expect(compiled()).to.not.deep.equal([first])
  })

  it('of V8 is released when the code runs', async () => {
    const siteDir = await started()
    const rows = Array.from({ length: 20_000 }, (_, row) => `'${String(row).padStart(100, 'row ')}'`)
    write(siteDir, { 'lib/word.ts': `const rows = [${rows}]\nexport const word = rows.length` })
    await wait(YOUNG)
    await start(siteDir, async (site) => site.loader.cacheCompiled())
    const before = await arrayBuffers()
    const text = await start(siteDir, async () => {
      expect((await arrayBuffers()) - before).to.be.below(500_000)
    })
    expect(text).to.equal('20000')
  })

  it('of V8 is not written for what is loaded later, so that no code is retained for it', async () => {
    const siteDir = await started()
    const compiled = () => keptAt(siteDir).filter((file) => file.includes('.compiled '))
    await start(siteDir, async (site) => {
      site.loader.cacheCompiled()
      write(siteDir, { 'lib/word.ts': `export const word = 'later'` })
      await site.extensions.reload('tool')
      expect(site.text()).to.equal('later')
      site.loader.cacheCompiled()
    })
    const first = compiled()
    expect(first).to.have.length(1)
    const [file = ''] = (first[0] ?? '').split(' ')
    expect(readFileSync(file).includes('later')).to.equal(false)
  })

  it('of another site is not used', async () => {
    const [siteDir, other] = [await started(), await started()]
    const [theirs = ''] = files(other)
    const [ours = ''] = files(siteDir)
    writeFileSync(ours, readFileSync(theirs, 'utf8').replaceAll(other, siteDir).replace('\\"one\\"', '\\"bad\\"'))
    expect(await start(siteDir)).to.equal('one!')
  })

  it('is not cached if the cache is not writable, without further effect', async () => {
    const siteDir = siteDirs.pop() ?? ''
    writeFileSync(join(siteDir, 'cache'), 'no folder')
    chmodSync(join(siteDir, 'cache'), 0o400)
    expect(await start(siteDir)).to.equal('one!')
    expect(readFileSync(join(siteDir, 'cache'), 'utf8')).to.equal('no folder')
  })

  it('is kept for all sites, with the product, where the extension comes with it', async () => {
    const product = siteDirs.pop() ?? ''
    const withProduct = join(import.meta.dirname, '../../node_modules/.cache/pentad-extensions')
    const kept = () => (existsSync(withProduct) ? readdirSync(withProduct) : [])
    const before = kept()
    const sites = await Promise.all(
      [temporaryFolder(), temporaryFolder()].map((siteDir) =>
        createExtensionSite({
          siteDir,
          folders: [join(product, 'extensions')],
        }),
      ),
    )
    try {
      for (const site of sites) {
        await site.extensions.load()
        await site.extensions.activate('tool')
        expect(site.text()).to.equal('one!')
      }
    } finally {
      for (const site of sites) await site.close()
    }
    const added = kept().filter((name) => !before.includes(name))
    for (const name of added) rmSync(join(withProduct, name))
    expect(added.map((name) => name.replace(/^.*\./, '')).sort()).to.deep.equal(['bundle', 'metadata'])
    for (const site of sites) expect(existsSync(folder(site.siteDir))).to.equal(false)
  })
})
