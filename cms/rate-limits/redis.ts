import { setTimeout as wait } from 'node:timers/promises'
import type { JoiningHost } from '../../core/types.ts'
import { packageMissing } from '../operations/optional-packages.ts'
import { limiterOptions } from './limiter-options.ts'
import type { RateLimitStore } from './types.ts'

/** How long a request waits for the server, in ms; then it is counted in memory. */
const LONGEST_WAIT = 1000

/** Opens a client that is not connected yet. @throws RestError 501 `package_missing` if it is not installed */
export async function openRedis(url: string, keyPrefix = '') {
  const { Redis } = await import('ioredis').catch(packageMissing('Rate limiting with Redis', ['ioredis']))
  return new Redis(url, {
    ...{ keyPrefix, lazyConnect: true, connectTimeout: LONGEST_WAIT, commandTimeout: LONGEST_WAIT },
    // A connection on which a command gets no answer is replaced, and what was sent on it is not repeated, because it may have been counted.
    ...{ socketTimeout: LONGEST_WAIT, maxRetriesPerRequest: 0 },
  })
}

/** What a client reports, without the message of the server, which may repeat the password. */
export function redisProblem(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error'
  if (error.name === 'ReplyError') return /^[A-Z]+(?= )/.exec(error.message)?.[0] ?? error.name
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message
}

/** Counts in Redis or Valkey. While the server does not answer, each process counts in memory. */
export async function countsInRedis(
  { siteKey, log, onListen, onClosed }: Pick<JoiningHost, 'siteKey' | 'log' | 'onListen' | 'onClosed'>,
  url: string,
): Promise<RateLimitStore> {
  // Several sites may use the same server.
  const client = await openRedis(url, `pentad:${siteKey.derive('rate limits').toString('base64url', 0, 9)}:`)
  let connecting: Promise<unknown> | undefined
  let isFailing = false
  client.on('ready', () => {
    isFailing = false
  })
  client.on('error', (error: Error) => {
    if (!isFailing) log.error({ reason: redisProblem(error) }, 'could not use Redis, counting requests in memory')
    isFailing = true
  })
  // The client reports errors, and reconnects.
  const connect = () => {
    connecting ??= client.connect().catch(() => {})
    return Promise.race([connecting, wait(LONGEST_WAIT, undefined, { ref: false })])
  }
  onListen(() => void connect())
  onClosed(() => client.disconnect())
  return {
    async open(limit) {
      const { RateLimiterRedis } = await import('rate-limiter-flexible')
      await connect()
      return new RateLimiterRedis({
        ...{ ...(await limiterOptions(limit)), storeClient: client, rejectIfRedisNotReady: true },
      })
    },
  }
}
