import { z } from 'zod'
import { MATCHES, QUERIES, STATUSES } from './types.ts'

/** Maximum length of a URL in browsers and servers. */
const LONGEST_ADDRESS = 2_048
const LONGEST_NOTE = 500
const MOST_HITS = Number.MAX_SAFE_INTEGER

const isNumeral = (value: unknown) => typeof value === 'string' && /^\d+$/.test(value)

/** Fields of a rule, without defaults, for updates. */
export const ruleChanges = {
  source: z
    .string()
    .min(1, 'It must not be empty.')
    .max(LONGEST_ADDRESS)
    .describe('Path on this site, or a pattern of paths.'),
  target: z.string().max(LONGEST_ADDRESS).describe('Path on this site or http(s) URL; empty for 410 and 451.'),
  match: z.enum(MATCHES).describe('How the source is matched.'),
  status: z
    .literal(STATUSES, `It must be one of ${STATUSES.join(', ')}.`)
    .describe('HTTP status code of the response.'),
  query: z.enum(QUERIES).describe('How the query string of a request is handled.'),
  caseSensitive: z.boolean().describe('Whether the source is case-sensitive.'),
  enabled: z.boolean().describe('Whether the redirect is active.'),
  note: z.string().max(LONGEST_NOTE).describe('Note for other administrators.'),
}

/**
 * A rule of an import, from other sources or our export. Invalid counts and times are dropped, and long notes are
 * truncated.
 */
export const importedRule = z
  .object(ruleChanges)
  .partial()
  .extend({
    source: ruleChanges.source,
    status: z.preprocess((status) => (isNumeral(status) ? Number(status) : status), ruleChanges.status.optional()),
    // A long note does not justify rejecting the rule.
    note: z
      .string()
      .transform((text) => text.slice(0, LONGEST_NOTE))
      .optional(),
    hits: z.int().min(0).max(MOST_HITS).optional().catch(undefined),
    lastHitAt: z.iso.datetime().nullable().optional().catch(undefined),
    createdAt: z.iso.datetime().optional().catch(undefined),
  })

/** A rule as exported by this service. */
export const wholeRule = z.object({
  ...ruleChanges,
  id: z.int(),
  hits: z.int().min(0),
  lastHitAt: z.string().nullable(),
  createdAt: z.string(),
})
