import { format } from 'node:util'
import { expect } from 'chai'
import { framesOf, mapFrames } from '../../app/loader/index.ts'
import { until } from '../support/until.ts'
import { createExtensionSite, type ExtensionSite, extensionSource } from './extension-site.ts'

describe('stacks in the log', () => {
  let site: ExtensionSite

  beforeEach(async () => {
    site = await createExtensionSite()
    await site.extensions.load()
  })
  afterEach(() => site.close())

  const FAIL = `interface Unused { readonly a: string }

export function failure(options?: ErrorOptions): Error {
  return new Error('no luck', options)
}
`
  const activate = async (body: string, head = '') => {
    const index = extensionSource('bad', body, `import { failure } from './lib/fail.ts'; ${head}`)
    site.write('bad', { 'index.ts': index, 'lib/fail.ts': FAIL })
    await site.extensions.activate('bad')
  }
  const errors = () => site.records.flatMap(({ err }) => (err === undefined ? [] : JSON.stringify(err)))
  function expectMapped(times = 1): void {
    const text = errors().join('\n')
    expect(text.match(/bad\/lib\/fail\.ts:4:10/g)?.length).to.be.at.least(times)
    expect(text).to.not.contain('.cjs')
  }

  it('of a route show the author’s file and line', async () => {
    await activate(
      `host.rest.registerRoute('bad/v1', { method: 'GET', path: '/', access: 'public', handler() { throw failure() } })`,
    )
    expect((await site.ask('/bad/v1')).status).to.equal(500)
    expectMapped()
  })

  it('of timers and jobs show them too', async () => {
    await activate(`host.setTimeout(() => { throw failure() }, 1)`)
    await until(() => errors().length === 1)
    expectMapped()
    await site.extensions.deactivate('bad')
    await activate(
      `const job = host.jobs.define({ type: 'bad', data: z.object({}), tick: async () => { throw failure() } }).job
       process.once('start job', () => job.start({}))`,
      `import { z } from 'zod'`,
    )
    Reflect.apply(process.emit, process, ['start job'])
    await until(async () => {
      await site.jobs.runDue()
      return errors().length > 1
    })
    expectMapped(2)
  })

  it('of errors that core logs show them too', async () => {
    await activate(
      `host.hooks.addAction('updated_option', () => {
        throw Object.assign(new RestError('no', 'No.', { status: 403 }), { cause: failure() })
      })`,
      `import { RestError } from 'pentad'`,
    )
    await site.options.update('anything', 1)
    expect(site.records.map(({ msg }) => msg)).to.include('updated_option callback failed')
    expectMapped()
  })

  it('of uncaught errors point to the source files, even for a version that is unloaded', async () => {
    await activate(`process.once('give', (take) => take(failure()))`)
    let stray: unknown
    const take = (error: unknown) => {
      stray = error
    }
    Reflect.apply(process.emit, process, ['give', take])
    await site.extensions.deactivate('bad')
    expect(site.blame.reportUncaught(stray)).to.equal(true)
    expectMapped()
    expect(site.records.map(({ msg }) => msg)).to.include('error in an unloaded version of an extension ignored')
  })

  it('that an extension logs as text, or as its own field, show them too', async () => {
    await activate(`host.log.error(failure().stack); host.log.warn({ why: { stack: failure().stack } }, 'failed')`)
    const text = JSON.stringify(site.records)
    expect(text.match(/bad\/lib\/fail\.ts:4:10/g)).to.have.length(2)
    expect(text).to.not.contain('.cjs')
  })

  it('that an extension prints with console show them too', async () => {
    const printed: unknown[] = []
    const { error } = console
    console.error = (...args: unknown[]) => printed.push(format(...args))
    try {
      await activate(
        `console.error('failed:', failure()); console.error(failure().stack); console.error('%s', 'as is')`,
      )
    } finally {
      console.error = error
    }
    expect(printed.join('\n').match(/bad\/lib\/fail\.ts:4:10/g)).to.have.length(2)
    expect(printed.join('\n')).to.contain('as is').and.not.contain('.cjs')
  })

  it('of causes and of errors within an AggregateError show them too', async () => {
    await activate(`host.hooks.addFilter('test_text', () => {
      throw new Error('outer', { cause: new AggregateError([failure(), failure({ cause: failure() })], 'many') })
    })
    host.hooks.addFilter('test_text', () => {
      throw new AggregateError([failure(), failure({ cause: failure() })], 'many')
    })`)
    site.text()
    expectMapped(3)
  })
})

describe('mapFrames', () => {
  const stack = [
    'Error: at (/a/.b.1.cjs:1:1) is what it says',
    '    at run (/home/a (copy): 1/.index.12.cjs:34:5)',
    '    at async /x/.index.1.cjs:2:3',
    '    at Object.<anonymous> (/x/other.ts:1:2)',
  ].join('\n')

  it('finds the frames of bundles, whatever characters their paths have, and nothing in messages', () => {
    expect(framesOf(stack)).to.deep.equal([
      { filename: '/home/a (copy): 1/.index.12.cjs', line: 34, column: 5 },
      { filename: '/x/.index.1.cjs', line: 2, column: 3 },
    ])
    expect(mapFrames(stack, ({ line }) => (line === 34 ? 'index.ts:1:1' : undefined)).split('\n')[1]).to.equal(
      '    at run (index.ts:1:1)',
    )
  })
})
