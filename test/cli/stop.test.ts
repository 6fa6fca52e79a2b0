import { get } from 'node:http'
import { expect } from 'chai'
import { startPentad } from '../support/pentad.ts'
import { temporaryFolder } from '../support/site-folder.ts'

describe('pentad start, told to stop while clients ask', () => {
  it('answers every request that was begun before, then exits 0', async () => {
    const site = await startPentad(temporaryFolder())
    let stopped = false
    let answered = 0
    const failures: string[] = []
    /** On a connection of its own each time. */
    const ask = () =>
      new Promise<void>((resolve) => {
        get(`${site.url}/wp-json/`, { agent: false }, (answer) => {
          answer.resume()
          answer.once('end', () => {
            answered++
            resolve()
          })
        }).once('error', (error) => {
          failures.push(error.message)
          resolve()
        })
      })
    const clients = Array.from({ length: 10 }, async () => {
      while (!stopped) await ask()
    })
    while (answered < 50) await new Promise(setImmediate)
    const ended = site.end()
    stopped = true
    await Promise.all(clients)
    expect(failures).to.deep.equal([])
    expect(await ended).to.equal(0)
  })
})
