import { expect } from 'chai'
import { createLogLimit } from '../../cms/log-limit.ts'

describe('createLogLimit', () => {
  it('lets one record of a kind a minute through, with the number of those left out since', () => {
    let now = 0
    const limit = createLogLimit(() => now)
    expect(limit('a')).to.deep.equal({})
    now = 59_999
    expect([limit('a'), limit('a')]).to.deep.equal([undefined, undefined])
    expect(limit('b')).to.deep.equal({})
    now = 60_000
    expect(limit('a')).to.deep.equal({ repeated: 2 })
    expect(limit('a')).to.equal(undefined)
    now = 120_000
    expect(limit('b')).to.deep.equal({})
  })
})
