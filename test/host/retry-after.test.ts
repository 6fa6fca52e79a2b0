import { expect } from 'chai'
import { retryAfterMs } from 'pentad'

const NOW = Date.parse('2030-01-01T00:00:00Z')

describe('Retry-After', () => {
  it('says seconds or a date', () => {
    expect(retryAfterMs('120', NOW)).to.equal(120_000)
    expect(retryAfterMs(' 0 ', NOW)).to.equal(0)
    expect(retryAfterMs('Tue, 01 Jan 2030 00:05:00 GMT', NOW)).to.equal(300_000)
    expect(retryAfterMs('Mon, 31 Dec 2029 00:00:00 GMT', NOW), 'which is over').to.equal(0)
  })

  it('says nothing where it is neither', () => {
    for (const header of [undefined, null, '', 'soon', '-', '9'.repeat(400)])
      expect(retryAfterMs(header, NOW), `${header}`).to.equal(undefined)
  })
})
