import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect } from 'chai'
import { temporaryFolder } from '../support/site-folder.ts'
import { openParts } from './parts.ts'

const WRITER = join(import.meta.dirname, 'writer.ts')

describe('settings that were acknowledged', () => {
  /** Runs the writer, ends it with SIGKILL after so many acknowledgements, and answers what was acknowledged. */
  async function write(siteDir: string, prefix: string, writes: number, atOnce: number, killAfter = Infinity) {
    const child = spawn(process.execPath, [WRITER, siteDir, prefix, String(writes), String(atOnce)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const closed = once(child, 'close')
    const acknowledged: string[] = []
    for await (const line of createInterface({ input: child.stdout })) {
      acknowledged.push(line)
      if (acknowledged.length === killAfter) child.kill('SIGKILL')
    }
    const [code, signal] = await closed
    return { acknowledged, code, signal }
  }

  const stored = (siteDir: string): Record<string, number> =>
    JSON.parse(readFileSync(join(siteDir, 'options.json'), 'utf8')).writer_settings ?? {}

  for (const atOnce of [1, 16]) {
    for (const killAfter of [1, 60, 237, 500, 811]) {
      it(`are all there after kill -9 at number ${killAfter} of 1,000, ${atOnce} at a time`, async () => {
        const siteDir = temporaryFolder()
        const { acknowledged, signal } = await write(siteDir, 'key', 1000, atOnce, killAfter)
        expect(signal, 'killed in the middle').to.equal('SIGKILL')
        expect(acknowledged.length).to.be.within(killAfter, 999)
        const found = stored(siteDir)
        const lost = acknowledged.filter((index) => found[`key${index}`] !== Number(index))
        expect(lost, 'lost').to.deep.equal([])

        const parts = await openParts(siteDir)
        await parts.options.update('goes on', true)
        await parts.close()
        expect(readdirSync(siteDir)).to.have.members(['options.json', 'secret.key'])
      })
    }
  }

  it('are all there when two processes write at once', async () => {
    const siteDir = temporaryFolder()
    const ends = await Promise.all(['left', 'right'].map((side) => write(siteDir, side, 200, 4)))
    expect(ends.map(({ code }) => code)).to.deep.equal([0, 0])
    const names = ['left', 'right'].flatMap((side) => Array.from({ length: 200 }, (_, index) => `${side}${index}`))
    expect(stored(siteDir)).to.have.all.keys(names)
  })
})
