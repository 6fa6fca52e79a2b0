import { deprecate } from 'node:util'
import type { z } from 'zod'
import type { Route } from './types.ts'

const warn = deprecate(
  () => {},
  'The `answer` and `answerTypes` options of routes were renamed to `response` and `responseTypes`.',
  'PENTAD_ROUTE_ANSWER',
)

/** Supports the former names of a route's options for one release. */
export function withCurrentOptions<Schema extends z.ZodObject>(route: Route<Schema>): Route<Schema> {
  const { answer, answerTypes } = route
  if (answer === undefined && answerTypes === undefined) return route
  warn()
  return { ...(answer && { response: answer }), ...(answerTypes && { responseTypes: answerTypes }), ...route }
}
