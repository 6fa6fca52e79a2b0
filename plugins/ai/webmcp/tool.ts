import type { Route } from 'pentad'
import { z } from 'zod'

/** Maximum number of results of a tool. */
export const MOST_ROWS = 20

/** A tool for browser agents: a public route with the description that agents see. */
export interface WebMcpTool<Schema extends z.ZodObject = z.ZodObject, Result extends z.ZodType = z.ZodType> {
  /** Name for agents: `search_content`. */
  readonly name: string
  readonly title: string
  /** Description, read by agents and by the site owner. */
  readonly description: string
  readonly route: Route<Schema, string, Result>
}

/** A tool with typed input and output. */
export function defineTool<Schema extends z.ZodObject, Result extends z.ZodType>(
  tool: WebMcpTool<Schema, Result>,
): WebMcpTool {
  return tool
}

/** The number of results that an agent requests: agents guess, so larger values are capped. */
export const limitSchema = (usual = 10) =>
  z
    .int()
    .min(1)
    .default(usual)
    .transform((limit) => Math.min(limit, MOST_ROWS))
    .describe(`Number of results, 1 to ${MOST_ROWS}.`)

/** Search terms. */
export const querySchema = z.string().max(1000)
