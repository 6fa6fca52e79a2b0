import { type AgentOptions, type ClientRequestArgs, Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { Duplex } from 'node:stream'
import { type Failure, LocationFailure } from '../failure.ts'

export const REDIRECTED: Failure = {
  reason: 'The server redirects to another URL. If you trust that URL, enter it instead.',
  temporary: false,
}

/**
 * HTTP agents that connect to one server only. The library follows redirects, and a redirect to another host could make
 * this server write to or delete on any host in its network (SSRF).
 *
 * @param idleMs - Idle timeout of a connection, in ms.
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
      // The agent only emits the event; closing the socket is left to the caller.
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
  socket.destroy(Object.assign(new Error('The connection was idle for too long.'), { code: 'ETIMEDOUT' }))
}

/** Only URLs have brackets around IPv6 addresses. */
function unbracketed(host: string): string {
  return host.replace(/^\[|\]$/g, '').toLowerCase()
}
