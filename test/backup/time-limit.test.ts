import { setTimeout as wait } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect } from 'chai'
import { withTimeLimit } from '../../plugins/backup/time-limit.ts'

describe('A time limit of work in steps', () => {
  it('is over for who only looks, however often unused memory is freed meanwhile', async () => {
    setFlagsFromString('--expose-gc')
    const freeMemory: () => void = runInNewContext('gc')
    const limited = withTimeLimit(new AbortController().signal, 300)
    for (let looks = 0; looks < 10; looks++) {
      freeMemory()
      await wait(50)
    }
    expect(limited.aborted).equal(true)
  })
})
