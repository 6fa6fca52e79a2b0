import type { Logger } from 'pentad'

/** Filters that were already reported: a sitemap calls one up to 2,000 times. */
const reported = new WeakMap<Logger, Set<string>>()

/**
 * Returns the result of a filter if it is valid, otherwise the original value. An invalid result (`null`, an unawaited
 * promise, a number) is the mistake of another extension and must not cause an error of this service, which would be
 * paused.
 */
export function filtered<Value>(
  log: Logger,
  name: string,
  { before, result, isValid }: { before: Value; result: unknown; isValid: (result: unknown) => result is Value },
): Value {
  if (isValid(result)) return result
  const known = reported.get(log) ?? new Set()
  reported.set(log, known)
  if (!known.has(name)) log.error({ hook: name }, 'invalid filter result ignored')
  known.add(name)
  return before
}

export const isText = (result: unknown): result is string => typeof result === 'string'
