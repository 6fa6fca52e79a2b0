import { expect } from 'chai'
import { retryAfter } from '../../../plugins/pwa/push/retry-after.ts'

const NOW = Date.parse('2030-01-01T00:00:00Z')
const DAY = 86_400_000

describe('Retry-After of a push service', () => {
  it('says seconds or a date', () => {
    expect(retryAfter('120', NOW)).to.equal(NOW + 120_000)
    expect(retryAfter('Tue, 01 Jan 2030 00:05:00 GMT', NOW)).to.equal(NOW + 300_000)
    expect(retryAfter('Mon, 31 Dec 2029 00:00:00 GMT', NOW)).to.equal(NOW)
  })

  it('holds for a day, however much more it says', () => {
    for (const header of ['86401', '999999999', 'Tue, 01 Jan 2999 00:00:00 GMT'])
      expect(retryAfter(header, NOW), header).to.equal(NOW + DAY)
  })

  it('says nothing where it is neither', () => {
    for (const header of [undefined, '', 'soon', '-']) expect(retryAfter(header, NOW), header).to.equal(undefined)
  })
})
