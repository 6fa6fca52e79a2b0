import { type DoctorCheck, ok, warning } from './types.ts'

const CHECK = 'rate limits'

/** Whether the Redis server for rate limits can be used, if there is one. */
export const checkRateLimits: DoctorCheck = async ({ config: { rateLimitUrl } }) => {
  if (rateLimitUrl === undefined) return []
  const { openRedis } = await import('../../cms/rate-limits/redis.ts')
  const client = await openRedis(rateLimitUrl)
  let reason: Error | undefined
  client.on('error', (error: Error) => {
    reason ??= error
    client.disconnect()
  })
  try {
    await client.connect()
    return [ok(CHECK, `Rate limit counters are stored in Redis at ${new URL(rateLimitUrl).host}.`)]
  } catch (thrown) {
    const why = describe(reason ?? thrown)
    const message = `The Redis server for rate limits cannot be used (${why}), so each process counts requests separately.`
    return [warning(CHECK, message, 'Check that the server is running and that PENTAD_RATE_LIMIT_URL is correct.')]
  } finally {
    client.disconnect()
  }
}

/** The code of the system or the server: its message could repeat a password. */
function describe(reason: unknown): string {
  if (!(reason instanceof Error)) return 'unknown error'
  if ('code' in reason && typeof reason.code === 'string') return reason.code
  return /^[A-Z]{4,}(?= )/.exec(reason.message)?.[0] ?? reason.name
}
