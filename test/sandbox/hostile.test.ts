import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleGuest } from '../../cms/sandbox/bundle.ts'
import { type Kill, SandboxKilled } from '../../cms/sandbox/errors.ts'
import { createSandbox, type Sandbox } from '../../cms/sandbox/sandbox.ts'
import { HOSTILE, type HostileCode } from './hostile-code.ts'

/** Small, so that the tests need little CPU time. */
const LIMITS = { cpu: 30, startCpu: 1_000, wall: 20_000, memory: 8 * 1024 * 1024, message: 1_000_000 }

describe('hostile code in a sandbox', () => {
  let sandbox: Sandbox
  let folder: string
  let requests: string[]
  const kills: Kill[] = []
  let memory = 0

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pentad-hostile-'))
    const bodies = HOSTILE.map(({ code }) => `async () => { ${code} }`)
    await writeFile(
      join(folder, 'index.js'),
      `import { defineExtension } from 'pentad'
globalThis.ask = (method) => { const { value, error } = JSON.parse(globalThis.rawAsk(JSON.stringify({ method, args: [] }))); if (error) throw new Error(error.message); return value }
const bodies = [${bodies.join(',\n')}]
export default defineExtension({ id: 'hostile', name: 'Hostile', version: '1.0.0', setup({ jobs }) {
  bodies.forEach((body, at) => jobs.schedule('hostile-' + at, 'daily', body))
  jobs.schedule('hostile-friendly', 'daily', () => 'still here')
} })`,
    )
    const { code } = await bundleGuest(join(folder, 'index.js'), folder, '/hostile/.index.1.cjs')
    sandbox = createSandbox({
      code: `globalThis.rawSend = globalThis.__send; globalThis.rawAsk = globalThis.__ask;\n${code}`,
      filename: '/hostile/.index.1.cjs',
      methods: { sync: [], async: [] },
      limits: LIMITS,
      handle({ method }) {
        requests.push(method)
        if (method !== 'nothing') throw new Error(`There is no ${method}.`)
        return null
      },
      onKill: (kill) => kills.push(kill),
      onDone: (cost) => {
        memory = Math.max(memory, cost.memory)
      },
    })
  })
  after(async () => {
    await sandbox.close()
    await rm(folder, { recursive: true, force: true })
  })
  beforeEach(() => {
    requests = []
    kills.length = 0
  })

  const run = (id: number, limits?: { wall?: number; cpu?: number }) =>
    sandbox.call({
      what: HOSTILE[id]?.what ?? 'friendly',
      message: { type: 'call', id, args: [] },
      ...limits,
    })
  /** A slow machine fills the memory, throws, or returns only after more than the usual CPU time. */
  const limitsOf = (ends: HostileCode['ends']) =>
    ends === 'wall' ? { wall: 300 } : ends === 'cpu' || ends === 'ended' ? {} : { cpu: 5_000 }

  /** How a call ended. */
  async function ending(at: number, ends: HostileCode['ends']): Promise<unknown> {
    try {
      return { value: await run(at, limitsOf(ends)) }
    } catch (error) {
      return error instanceof SandboxKilled ? error.kill.reason : 'error'
    }
  }

  for (const [at, { what, ends }] of HOSTILE.entries()) {
    it(`survives code that ${what}`, async () => {
      const ended = await ending(at, ends)
      if (ends === 'ended') ok(ended === 'cpu' || ended === 'memory' || ended === 'error' || typeof ended === 'object')
      else deepEqual(ended, ends)
      ok(
        requests.every((method) =>
          ['nothing', 'constructor', '__proto__', 'hasOwnProperty', 'undefined'].includes(method),
        ),
      )
      equal(kills.length, ended === 'cpu' || ended === 'memory' || ended === 'wall' ? 1 : 0)
    })
  }

  it('is terminated with a stack trace that has the line that ran', async () => {
    const line = (what: string) => {
      const at = HOSTILE.findIndex((one) => one.what === what)
      return run(at).then(
        () => '',
        () => kills.at(-1)?.stack ?? '',
      )
    }
    for (const what of ['loops forever', 'loops after an await', 'loops in promise jobs'])
      match(await line(what), /^ {4}at .+\n/, what)
    match(await line('allocates buffers'), /\.index\.1\.cjs:\d+/)
  })

  it('serves other calls afterward, within its memory', async () => {
    equal(await run(HOSTILE.length), 'still here')
    ok(memory <= 17 * 1024 * 1024, `${memory} bytes`)
    equal({}.toString(), '[object Object]')
    ok(!('status' in {}))
  })

  it('has at least 60 guests', () => ok(HOSTILE.length >= 60, String(HOSTILE.length)))
})
