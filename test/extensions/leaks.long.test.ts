import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'

const SCRIPT = fileURLToPath(new URL('./leak-run.ts', import.meta.url))
const MEGABYTE = 1024 * 1024

interface Measure {
  readonly heap: number
  readonly traces: Record<string, number>
}

describe('200 activations and 300 reloads of an extension with 2 MB of modules', () => {
  let run: Record<'before' | 'afterCycles' | 'running' | 'afterReloads' | 'end', Measure> & {
    requests: number
    failed: number
  }

  before(async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', SCRIPT])
    run = JSON.parse(stdout)
  })

  it('leave no hook, route, setting, role, post type, timer or listener behind', () => {
    expect(run.afterCycles.traces).to.deep.equal(run.before.traces)
    expect(run.afterReloads.traces).to.deep.equal(run.running.traces)
    expect(run.end.traces).to.deep.equal(run.before.traces)
  })

  it('leave less than 50 MB of heap behind', () => {
    expect(run.afterCycles.heap - run.before.heap).to.be.lessThan(50 * MEGABYTE)
    expect(run.afterReloads.heap - run.running.heap).to.be.lessThan(50 * MEGABYTE)
    expect(run.end.heap - run.before.heap).to.be.lessThan(50 * MEGABYTE)
  })

  it('answer every request that is under way meanwhile', () => {
    expect(run.requests).to.equal(600)
    expect(run.failed).to.equal(0)
  })
})
