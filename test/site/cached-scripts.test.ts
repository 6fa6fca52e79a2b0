import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { bundleCached } from '../../cms/site/scripts/cached-bundle.ts'
import { temporaryFolder } from '../support/site-folder.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
/** Older than the two seconds in which a file may still be changing; imports a package. */
const SOURCE = join(root, 'plugins/speed/vitals/beacon.browser.js')

describe('scripts for browsers', () => {
  const folder = join(temporaryFolder(), 'scripts')

  /** Bundles in another process. */
  async function bundleAfresh(constants: object): Promise<{ script: string; usesEsbuild: boolean }> {
    const code = `
      import { registerHooks } from 'node:module'
      const loaded = []
      registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context) } })
      const { bundleCached } = await import('./cms/site/scripts/cached-bundle.ts')
      const script = await bundleCached(${JSON.stringify(folder)}, [${JSON.stringify(SOURCE)}], ${JSON.stringify(constants)})
      console.log(JSON.stringify({ script, usesEsbuild: loaded.some((url) => url.includes('/node_modules/esbuild/')) }))`
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code], { cwd: root })
    return JSON.parse(stdout)
  }

  it('are bundled once, until their constants change', async () => {
    const script = await bundleCached(folder, [SOURCE], { FIRST: 1 })
    expect(await bundleAfresh({ FIRST: 1 })).to.deep.equal({ script, usesEsbuild: false })
    expect(await bundleAfresh({ FIRST: 2 })).to.deep.equal({ script, usesEsbuild: true })
    expect(readdirSync(folder)).to.have.length(1)
  })
})
