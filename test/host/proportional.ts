/** Checks that the cost of a step grows no faster than the length of its text, whatever the text is. */
import { expect } from 'chai'
import { processorTime } from './event-loop.ts'
import { HOSTILE_TEXTS } from './hostile-texts.ts'

/** Measured so often at most: the best counts, the others met something else. */
const TRIES = 3
const LENGTH = 100_000
/** Milliseconds below which times say nothing, and the steps in which some systems count them. */
const NOTHING = 60
const STEP = 10

/** @param rejects whether the step may reject a text with this error; any other error fails the test */
export function itCostsInProportion(
  name: string,
  step: (text: string) => unknown,
  rejects: (error: unknown) => boolean = () => false,
): void {
  const cost = async (text: string) => {
    const started = processorTime()
    try {
      await step(text)
    } catch (error) {
      if (!rejects(error)) throw error
    }
    return processorTime() - started
  }

  it(name, async () => {
    for (const [kind, make] of Object.entries(HOSTILE_TEXTS)) {
      let ratio = Number.POSITIVE_INFINITY
      for (let tries = 0; tries < TRIES && ratio > 3; tries++) {
        const twice = await cost(make(2 * LENGTH))
        const once = twice < NOTHING ? twice : await cost(make(LENGTH))
        ratio = Math.min(ratio, twice / Math.max(once, STEP))
      }
      expect(ratio, kind).to.be.at.most(3)
    }
  })
}
