import { expect } from 'chai'
import { createOrigins } from '../../core/extensions/origin.ts'
import { listenToOwners, numberOf, runAs, running } from '../../core/extensions/running-code.ts'

describe('Whose code the main thread runs, as another thread reads it', () => {
  const a = createOrigins().contextOf('a-reader', 'a.js', false)
  const b = createOrigins().contextOf('b-reader', 'b.js', false)
  const [numberOfA, numberOfB] = [numberOf('a-reader', false), numberOf('b-reader', false)]
  const now = () => running[0]

  it('is the innermost extension, and the one around it afterwards, however a call ends', () => {
    const seen: unknown[] = [now()]
    a.run(() => {
      seen.push(now())
      expect(() =>
        b.runAmongOthers(() => {
          seen.push(now())
          throw new Error('wrong')
        }),
      ).to.throw('wrong')
      seen.push(now())
    })
    seen.push(now())
    expect(seen).to.deep.equal([0, numberOfA, numberOfB, numberOfA, 0])
  })

  it('is no extension while an async call waits', async () => {
    const call = a.run(async () => {
      await null
      return now()
    })
    expect(now()).to.equal(0)
    expect(await call).to.equal(0)
  })

  it('has one number for all versions of an extension, which a listener gets even if it comes later', () => {
    const heard = new Map<number, string>()
    listenToOwners((number, { extension }) => heard.set(number, extension))
    expect(numberOf('a-reader', false)).to.equal(numberOfA)
    const added = numberOf('c-reader', true)
    expect([numberOfA, numberOfB, added].map((number) => heard.get(number))).to.deep.equal([
      'a-reader',
      'b-reader',
      'c-reader',
    ])
    expect(runAs(added, (work) => work(), now)).to.equal(added)
  })
})
