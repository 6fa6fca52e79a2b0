import { type AgentOptions, type ClientRequestArgs, Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { Duplex } from 'node:stream'
import { type Failure, LocationFailure } from '../failure.ts'

export const REDIRECTED: Failure = {
  reason: 'The server sends requests on to another address. If you trust it, enter that one.',
  temporary: false,
}

/**
 * Agents that connect to the server of one address only. The library follows redirects, and one that leads elsewhere
 * would have this machine write to and delete at whatever its network reaches.
 *
 * @param idleMs - A connection on which nothing moves for so long is broken off.
 */
export function createAgents(address: string, idleMs: number): { httpAgent: HttpAgent; httpsAgent: HttpsAgent } {
  const { protocol, hostname, port } = new URL(address)
  const isOurs = (options: ClientRequestArgs, scheme: string) =>
    scheme === protocol &&
    unbracketed(options.host ?? '') === unbracketed(hostname) &&
    Number(options.port) === Number(port || (scheme === 'https:' ? 443 : 80))

  const guarded = <Agent extends HttpAgent>(agent: Agent, scheme: string): Agent => {
    const open = agent.createConnection.bind(agent)
    agent.createConnection = (options, callback) => {
      if (!isOurs(options, scheme)) throw new LocationFailure(REDIRECTED)
      const socket = open(options, callback)
      // The agent counts the time, but leaves the end to whoever made the request.
      socket?.on('timeout', () => breakOff(socket))
      return socket
    }
    return agent
  }
  const options: AgentOptions = { keepAlive: true, timeout: idleMs }
  return {
    httpAgent: guarded(new HttpAgent(options), 'http:'),
    httpsAgent: guarded(new HttpsAgent(options), 'https:'),
  }
}

function breakOff(socket: Duplex): void {
  socket.destroy(Object.assign(new Error('Nothing moved on the connection.'), { code: 'ETIMEDOUT' }))
}

/** IPv6 addresses stand in brackets in URLs only. */
function unbracketed(host: string): string {
  return host.replace(/^\[|\]$/g, '').toLowerCase()
}
