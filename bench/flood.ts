/**
 * Requests missing URLs over a few connections, sequentially on each: a thread of `missing-pages.ts`, so that the requests that are measured
 * do not wait for those of the flood in the client.
 */
import { Agent, get } from 'node:http'
import { workerData } from 'node:worker_threads'

export interface Flood {
  readonly url: string
  /** Number of the first URL. */
  readonly first: number
  readonly requests: number
  readonly connections: number
}

const { url, first, requests, connections }: Flood = workerData
const agent = new Agent({ keepAlive: true, maxSockets: connections })
let next = first

async function work(): Promise<void> {
  while (next < first + requests) {
    const status = await ask(`${url}/missing-${next++}/?page=${Math.random()}`)
    if (status !== 404) throw new Error(`expected 404, got ${status}`)
  }
}

function ask(address: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const request = get(address, { agent }, (response) => {
      response.resume()
      response.once('end', () => resolve(response.statusCode))
    })
    request.once('error', (error) => {
      // The server has just closed an idle connection.
      if (request.reusedSocket) ask(address).then(resolve, reject)
      else reject(error)
    })
  })
}

await Promise.all(Array.from({ length: connections }, work))
agent.destroy()
