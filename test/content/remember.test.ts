import { expect } from 'chai'
import { remember } from '../../cms/content/render/remember.ts'

describe('A cached step of rendering', () => {
  it('is repeated for the text that was used least recently of more than 2,000', () => {
    let steps = 0
    const step = remember((text) => `${text}${++steps}`)
    for (let text = 0; text <= 2000; text++) step(String(text))
    expect(step('1')).to.equal('12')
    expect(step('0')).to.equal('02002')
  })

  it('holds 4 million characters at most', () => {
    let steps = 0
    const step = remember((text) => `${++steps}`.padEnd(text.length))
    const texts = ['a', 'b', 'c'].map((letter) => letter.repeat(900_000))
    for (const text of texts) step(text)
    step(texts[0] ?? '')
    expect(steps).to.equal(4)
  })

  it('takes no memory before it is used', () => {
    const used = () => process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers
    const before = used()
    const steps = Array.from({ length: 1000 }, () => remember((text) => text))
    expect((used() - before) / steps.length).to.be.below(20_000)
  })
})
