import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect } from 'chai'

/** @returns what the program printed */
function run(...args: string[]): string {
  const { stdout } = spawnSync(process.execPath, [join(import.meta.dirname, 'microtask-loop.ts'), ...args], {
    encoding: 'utf8',
    env: { ...process.env, NODE_NO_WARNINGS: '1' },
    timeout: 60_000,
  })
  return stdout.trim()
}

describe('The main thread as its watchdog sees it', () => {
  it('is found in the code of its microtasks a step further, where it is stopped between two of them', () => {
    expect(run().split('\n')).to.deep.equal(Array.from({ length: 5 }, () => 'endless'))
  })

  it('is not waited for where it does not say whose code it runs, as while it collects garbage', () => {
    expect(run('silent')).to.match(/^at /)
  })
})
