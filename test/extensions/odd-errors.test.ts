import { expect } from 'chai'
import { until } from '../support/until.ts'
import { createExtensionSite, type ExtensionSite, extensionSource } from './extension-site.ts'

const MEGABYTE = 2 ** 20

describe('an odd error that an extension throws', () => {
  let site: ExtensionSite

  beforeEach(async () => {
    site = await createExtensionSite()
    await site.extensions.load()
  })
  afterEach(() => site.close())

  const TOP = `import { runInNewContext } from 'node:vm'\nexport const unused = runInNewContext`
  const ERRORS: [what: string, code: string, message: string][] = [
    ['is frozen', `throw Object.freeze(new Error('frozen'))`, 'frozen'],
    ['is its own cause', `const error = new Error('circle'); error.cause = error; throw error`, 'circle'],
    [
      'has thousands of causes',
      `let error = new Error('deep'); for (let at = 0; at < 5000; at++) error = new Error('deep', { cause: error })
       throw error`,
      'deep',
    ],
    [
      'holds itself among its errors',
      `const error = new AggregateError([], 'aggregate'); error.errors.push(error); throw error`,
      'aggregate',
    ],
    ['has a message of megabytes', `throw new Error('m'.repeat(${10 * MEGABYTE}))`, 'm'.repeat(1000)],
    ['is a text of megabytes', `throw 'm'.repeat(${10 * MEGABYTE})`, 'm'.repeat(1000)],
    ['is null', 'throw null', 'The code threw null instead of an error.'],
    ['is an empty object', 'throw {}', 'The code threw object instead of an error.'],
    ['has no stack', `const error = new Error('bare'); delete error.stack; throw error`, 'bare'],
    ['has an empty stack', `const error = new Error('bare'); error.stack = ''; throw error`, 'bare'],
    [
      'has no stack and is frozen',
      `const error = new Error('bare'); delete error.stack; throw Object.freeze(error)`,
      'bare',
    ],
    ['has a stack of its own making', `throw Object.assign(new Error('bare'), { stack: 'somewhere' })`, 'bare'],
    [
      'is of another realm',
      `throw runInNewContext('new Error("foreign")')`,
      'The code threw object instead of an error.',
    ],
    [
      'has a code that cannot be read',
      `throw Object.defineProperty(new Error('getter'), 'code', { enumerable: true, get() { throw new Error('code') } })`,
      'getter',
    ],
  ]
  for (const [what, code, message] of ERRORS) {
    it(`is logged, counted and passed over: it ${what}`, async () => {
      site.write('odd', {
        'index.ts': extensionSource('odd', `host.hooks.addFilter('test_text', () => { ${code} })`, TOP),
      })
      await site.extensions.activate('odd')
      for (let time = 0; time < 5; time++) expect(site.text('value')).to.equal('value')
      const state = () => site.extensions.list().find(({ id }) => id === 'odd')
      await until(() => state()?.state === 'paused')
      expect(state()?.reason)
        .to.contain(`test_text: ${message}`)
        .and.match(/\(odd\/index\.ts:\d\)$/)
      const logged = site.records.filter(({ extension, where }) => extension === 'odd' && where === 'test_text')
      expect(logged).to.have.length(5)
      expect(JSON.stringify(logged).length).to.be.below(MEGABYTE)
    })
  }
})
