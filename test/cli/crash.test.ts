import { expect } from 'chai'
import { readCrash } from '../../cli/supervisor/crash.ts'

const MINE = '/site/extensions/mine/.index.3.cjs'
const OTHER = '/site/extensions/other/.index.7.cjs'
const HOOK = `    at AsyncHook.init (${MINE}:2:59)
    at emitInitNative (node:internal/async_hooks:207:43)
    at promiseInitHook (node:internal/async_hooks:333:3)
    at Promise.resolve (<anonymous>)`
const TIMER = '    at listOnTimeout (node:internal/timers:685:17)'
const ABORTED = `  #  Assertion failed: args[0]->IsString()

----- Native stack trace -----

 1: 0x931db0  [/usr/bin/node]

----- JavaScript stack trace -----

1: node:internal/fs:3:1
2: check (${MINE}:2:50)
3: later (${OTHER}:9:1)
4: listOnTimeout (node:internal/timers:685:17)

`

const threw = { code: 1, signal: null }
const aborted = { code: null, signal: 'SIGABRT' } as const

describe('what Node writes to stderr before it ends the process', () => {
  it('of a callback of async_hooks names the extension of that callback, whichever code runs below it', () => {
    const stack = readCrash(`some output\nError: x\n${HOOK}\n    at run (${OTHER}:1:1)\n${TIMER}\n`, threw)
    expect(stack).to.match(/^ {4}at AsyncHook\.init \(\/site\/extensions\/mine\/\.index\.3\.cjs:2:59\)\n/)
  })

  it('of an uncaught error names the only extension', () => {
    const text = `/a.js:1\nthrow x\n^\n\nError: x\n    at product (/pentad/core/a.ts:1:1)\n    at mine (${MINE}:4:2)\n${TIMER}\n\nNode.js v24.21.0\n`
    expect(readCrash(text, { code: 7, signal: null })).to.equal(`    at mine (${MINE}:4:2)\n${TIMER}`)
  })

  it('where it aborts names the topmost extension', () => {
    expect(readCrash(ABORTED, aborted)).to.match(/^ {4}at check \(\/site\/extensions\/mine/)
  })

  for (const [what, text, exit] of [
    [
      'a message with frames of another extension',
      `Error: x\n    at a (${OTHER}:1:1)\n    at mine (${MINE}:4:2)\n\nNode.js v24.21.0`,
      threw,
    ],
    [
      'a message with a hook of another extension',
      `Error: x\n    at a (${OTHER}:1:1)\n    at b (node:internal/async_hooks:1:1)\n${HOOK}\n`,
      threw,
    ],
    ['a stack that an extension printed', `Error: x\n    at a (${OTHER}:1:1)\n`, threw],
    ['a stack that is not the last thing', `Error: x\n${HOOK}\nmore output\n`, threw],
    ['frames of the product', `Error: x\n    at a (/pentad/core/.cache/a.cjs:1:1)\n\nNode.js v24.21.0`, threw],
    ['a process that was killed', ABORTED, { code: null, signal: 'SIGKILL' }],
    ['an end in order', `Error: x\n${HOOK}\n`, { code: 0, signal: null }],
    ['an abort after which something was printed', `${ABORTED}more output`, aborted],
    [
      'a full heap',
      `FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory\n${ABORTED}`,
      aborted,
    ],
  ] as const) {
    it(`names nobody: ${what}`, () => {
      expect(readCrash(text, exit)).to.equal(undefined)
    })
  }
})
