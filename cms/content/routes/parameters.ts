import { z } from 'zod'
import { gmtToSite } from '../site-time.ts'
import { sanitizeTitle } from '../slug.ts'

/** WordPress's order of the contexts, which its messages show. */
export const contextSchema = z
  .enum(['view', 'embed', 'edit'])
  .default('view')
  .describe('Scope under which the request is made; determines fields present in response.')

/** An id in a path. One too large for any row names nothing, which is a 404 and no invalid parameter. */
export const pathId = z.number().meta({ type: 'integer', description: 'Unique identifier for the object.' })

export const idList = z.array(z.int()).default([])
export const slugList = z
  .array(z.string())
  .transform((slugs) => slugs.map((slug) => sanitizeTitle(slug)))
  .describe('Limit result set to items with one or more specific slugs.')

/** Common parameters of WordPress's collections. */
export const COLLECTION = {
  context: contextSchema,
  page: z.int().min(1).default(1).describe('Current page of the collection.'),
  per_page: z.int().min(1).max(100).default(10).describe('Maximum number of items to be returned in result set.'),
  search: z.string().max(1000).optional().describe('Limit results to those matching a string.'),
}

export const LIST = {
  ...COLLECTION,
  exclude: idList.describe('Ensure result set excludes specific IDs.'),
  include: idList.describe('Limit result set to specific IDs.'),
  offset: z.int().min(0).optional().describe('Offset the result set by a specific number of items.'),
}

export const orderSchema = (fallback: 'asc' | 'desc') =>
  z.enum(['asc', 'desc']).default(fallback).describe('Order sort attribute ascending or descending.')

/** Offset of a page; `offset` takes precedence over `page`. */
export function startOf({ page, per_page, offset }: { page: number; per_page: number; offset?: number | undefined }) {
  return { limit: per_page, offset: offset ?? Math.min((page - 1) * per_page, Number.MAX_SAFE_INTEGER) }
}

/** RFC 3339 as WordPress reads it (`rest_parse_date`): a time without a zone is in the site's. */
const DATE = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d(?::\d\d)?)?$/

export const dateSchema = z
  .string()
  .refine((value) => utcOf(value) !== undefined, { error: 'Invalid date.', params: { code: 'rest_invalid_date' } })
  .meta({ format: 'date-time' })
  .optional()

/** A date parameter as site time, `YYYY-MM-DDTHH:MM:SS`. */
export function toSiteTime(value: string | undefined, timezone: string): string | undefined {
  const utc = value === undefined ? undefined : utcOf(value)
  if (value === undefined || utc === undefined) return undefined
  const text = utc.toISOString().slice(0, 19)
  return DATE.exec(value)?.[3] === undefined ? text : gmtToSite(text.replace('T', ' '), timezone).replace(' ', 'T')
}

/** A date parameter as UTC, `YYYY-MM-DDTHH:MM:SS`; without a zone it is UTC already. */
export function toGmt(value: string | undefined): string | undefined {
  return value === undefined ? undefined : utcOf(value)?.toISOString().slice(0, 19)
}

/** `undefined` for an invalid date, or one that exceeds four-digit years in some time zone. */
function utcOf(value: string): Date | undefined {
  const [, day, time, zone = 'Z'] = DATE.exec(value) ?? []
  const date = new Date(`${day}T${time}${zone.length === 3 ? `${zone}:00` : zone}`)
  const year = date.getUTCFullYear()
  if (!(year > 0 && year < 9999)) return undefined
  // 31 February would be read as 3 March.
  const written = new Date(`${day}T00:00:00Z`)
  return Number.isNaN(written.getTime()) || written.toISOString().slice(0, 10) !== day ? undefined : date
}
