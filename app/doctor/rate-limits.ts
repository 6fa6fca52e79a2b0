import { type DoctorCheck, ok, warning } from './types.ts'

const CHECK = 'rate limits'

/** Whether the Redis server for rate limits can be used, if there is one. */
export const checkRateLimits: DoctorCheck = async ({ config: { rateLimitUrl }, texts: { __ } }) => {
  if (rateLimitUrl === undefined) return []
  const { openRedis, redisProblem } = await import('../../cms/rate-limits/redis.ts')
  const client = await openRedis(rateLimitUrl)
  let reason: Error | undefined
  client.on('error', (error: Error) => {
    reason ??= error
    client.disconnect()
  })
  try {
    await client.connect()
    return [ok(CHECK, __('Rate limit counters are stored in Redis at %s.', new URL(rateLimitUrl).host))]
  } catch (thrown) {
    const why = redisProblem(reason ?? thrown)
    const message = __(
      'The Redis server for rate limits cannot be used (%s), so each process counts requests separately.',
      why,
    )
    return [warning(CHECK, message, __('Check that the server is running and that PENTAD_RATE_LIMIT_URL is correct.'))]
  } finally {
    client.disconnect()
  }
}
