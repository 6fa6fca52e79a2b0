import type { Logger } from 'pentad'

/** Names of filters that were complained of: a sitemap asks one 2,000 times. */
const told = new WeakMap<Logger, Set<string>>()

/**
 * What a filter answered, if it is what it may be; otherwise what it was given. `null`, a promise where nobody waits for
 * one, a number: the mistake is another extension's, and must not end in an error of this service, which would be paused.
 */
export function filtered<Value>(
  log: Logger,
  name: string,
  { before, answer, isValid }: { before: Value; answer: unknown; isValid: (answer: unknown) => answer is Value },
): Value {
  if (isValid(answer)) return answer
  const known = told.get(log) ?? new Set()
  told.set(log, known)
  if (!known.has(name)) log.error({ hook: name }, 'invalid filter result ignored')
  known.add(name)
  return before
}

export const isText = (answer: unknown): answer is string => typeof answer === 'string'
