import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { withResults } from '../../bench/results.ts'

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/performance.md'), 'utf8')
const PLACE = { machine: '2 × AMD EPYC', date: '2026-11-30', commit: 'abc1234' }
const result = (what: string, measured = '1.00') => ({ what, measured, target: 'at most 2.00', verdict: 'met' })
const row = (benchmark: string, what: string, measured = '1.00', { date, commit, machine } = PLACE) =>
  `| ${benchmark} | ${what} | ${measured} | at most 2.00 | met | ${date}, commit ${commit}, ${machine} |`
const added = (page: string) => page.split('\n').filter((line) => !PAGE.includes(line))

describe('The table of targets', () => {
  it('gets the results of a benchmark, and nothing else of the page changes', () => {
    const page = withResults(PAGE, 'zebra', [result('one'), result('two')], PLACE)
    expect(added(page)).to.deep.equal([row('zebra', 'one'), row('zebra', 'two')])
    expect(withResults(page, 'zebra', [], PLACE)).to.equal(PAGE)
  })

  it('has the latest results of each benchmark, sorted by name', () => {
    const later = { ...PLACE, date: '2026-12-01', commit: 'def5678' }
    let page = withResults(PAGE, 'zebra', [result('one')], PLACE)
    page = withResults(page, 'aardvark', [result('first')], PLACE)
    page = withResults(page, 'zebra', [result('one', '1.50')], later)
    expect(added(page)).to.deep.equal([row('aardvark', 'first'), row('zebra', 'one', '1.50', later)])
  })

  it('must be there', () => {
    expect(() => withResults('# Performance\n', 'zebra', [], PLACE)).to.throw('no table')
  })
})
