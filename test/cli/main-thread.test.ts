import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect } from 'chai'

describe('The main thread as its watchdog sees it', () => {
  it('is found in the code of its microtasks a step further, where it is stopped between two of them', () => {
    const { stdout } = spawnSync(process.execPath, [join(import.meta.dirname, 'microtask-loop.ts')], {
      encoding: 'utf8',
      env: { ...process.env, NODE_NO_WARNINGS: '1' },
    })
    expect(stdout.trim().split('\n')).to.deep.equal(Array.from({ length: 5 }, () => 'endless'))
  })
})
