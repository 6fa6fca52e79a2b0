import type { Route } from 'pentad'
import { z } from 'zod'

/** Rows of one answer (services.md 8). */
export const MOST_ROWS = 20

/** A tool of browser agents: a public route, with what an agent is told of it. */
export interface WebMcpTool<Schema extends z.ZodObject = z.ZodObject, Answer extends z.ZodType = z.ZodType> {
  /** What agents call it: `search_content`. */
  readonly name: string
  readonly title: string
  /** What it does, in words that fit agents and the owner of the site: both read it. */
  readonly description: string
  readonly route: Route<Schema, string, Answer>
}

/** A tool whose handler gets and returns what its schemas say. */
export function defineTool<Schema extends z.ZodObject, Answer extends z.ZodType>(
  tool: WebMcpTool<Schema, Answer>,
): WebMcpTool {
  return tool
}

/** How many rows an agent wants: agents guess, so more than there can be is as many as there can be. */
export const limitSchema = (usual = 10) =>
  z
    .int()
    .min(1)
    .default(usual)
    .transform((limit) => Math.min(limit, MOST_ROWS))
    .describe(`Number of results, 1 to ${MOST_ROWS}.`)

/** What is looked for. */
export const querySchema = z.string().max(1000)
