import type { ResponseOf } from 'pentad'
import { z } from 'zod'

/** Match types: exact URL, wildcard with `*`, or regular expression (RE2). */
export const MATCHES = ['exact', 'wildcard', 'regex'] as const
export type RedirectMatch = (typeof MATCHES)[number]

/** 410 and 451 have no target. */
export const STATUSES = [301, 302, 307, 308, 410, 451] as const
export type RedirectStatus = (typeof STATUSES)[number]

/**
 * Handling of the query string. `ignore`: parameters of the source are required, others are ignored. `exact`: exactly
 * these parameters, in any order. `pass`: as `ignore`, and others are passed on to the target. Patterns only match the
 * query string with `exact`.
 */
export const QUERIES = ['ignore', 'exact', 'pass'] as const
export type RedirectQuery = (typeof QUERIES)[number]

const termsShape = z.object({
  source: z.string().describe('Path on this site with an optional query string, or a pattern of paths.'),
  target: z
    .string()
    .describe('Path on this site or http(s) URL; `$1` inserts the first capture group. Empty for 410 and 451.'),
  ...{ match: z.enum(MATCHES), status: z.literal(STATUSES), query: z.enum(QUERIES), caseSensitive: z.boolean() },
})

/** Source, target and behavior of a rule. */
export type RedirectTerms = ResponseOf<typeof termsShape>

export const ruleShape = termsShape.extend({
  ...{ id: z.int(), enabled: z.boolean(), hits: z.int(), lastHitAt: z.string().nullable() },
  ...{ createdAt: z.string(), note: z.string() },
})

/** A redirect in API format. Times are ISO 8601. */
export type RedirectRule = ResponseOf<typeof ruleShape>

type Perhaps<Type> = { readonly [Key in keyof Type]?: Type[Key] | undefined }

/** Input for a new redirect; defaults: 301, `exact`, `ignore`, enabled. */
export type RedirectInput = Pick<RedirectRule, 'source'> & Perhaps<Omit<RedirectRule, 'id' | 'source'>>

/** Input for an update; omitted fields stay unchanged. */
export type RedirectChanges = Perhaps<Omit<RedirectRule, 'id' | 'hits' | 'lastHitAt' | 'createdAt'>>

/** A redirect of an import, with its line in the file or its position in the list, from 1. */
export interface ImportedRule {
  readonly line: number
  /** Not validated yet. */
  readonly rule: unknown
}

export const importShape = z.object({
  imported: z.int(),
  skipped: z.int().describe('Number of redirects that already exist.'),
  errors: z.array(z.object({ line: z.int(), message: z.string() })),
})
export type ImportResult = ResponseOf<typeof importShape>

export interface RedirectListQuery {
  readonly search?: string | undefined
  readonly enabled?: boolean | undefined
  readonly match?: RedirectMatch | undefined
  readonly orderBy: 'id' | 'source' | 'hits' | 'lastHitAt'
  readonly order: 'asc' | 'desc'
  readonly page: number
  readonly perPage: number
}

const hopShape = z.object({
  url: z.string().describe('Requested path and query string.'),
  rule: termsShape.extend({ id: z.int() }),
  location: z.string().nullable().describe('Value of the `Location` header; `null` for 410 and 451.'),
})

/** One hop of a request. */
export type Hop = ResponseOf<typeof hopShape>

/**
 * How a chain ends. `page`: no rule matches, the site responds. `elsewhere`: at another site. `gone`: with 410 or 451.
 * `loop`: at a URL that repeats. `unknown`: after too many hops.
 */
const ENDS = ['page', 'elsewhere', 'gone', 'loop', 'unknown'] as const

export const traceShape = z.object({
  hops: z.array(hopShape),
  end: z.enum(ENDS),
  url: z.string().describe('Final path or URL.'),
})

/** The redirect chain of a URL. */
export type Trace = ResponseOf<typeof traceShape>

/** The redirects of a site, for other parts of the service and the routes. */
export interface Redirects {
  /**
   * Creates a redirect, which is active when this resolves. Fires `seo_redirects_changed`.
   * @throws RestError 400 `rest_invalid_param`, `invalid_regex`; 409 `redirect_exists`, `redirect_loop`
   */
  create(input: RedirectInput): Promise<RedirectRule>
  /**
   * Creates redirects; invalid ones do not stop the others. The first of two with the same source is kept, and a
   * redirect that would create a loop with earlier ones is an error. Fires `seo_redirects_changed` once.
   */
  import(rules: Iterable<ImportedRule>): Promise<ImportResult>
  /** Updates a redirect. @throws RestError as `create`, and 404 `redirect_not_found` */
  update(id: number, changes: RedirectChanges): Promise<RedirectRule>
  /** Enables or disables redirects. One that would create a loop does not stop the others. */
  switchAll(
    ids: readonly number[],
    enabled: boolean,
  ): Promise<{ changed: number; errors: { id: number; message: string }[] }>
  /** Deletes the redirects that exist. Fires `seo_redirects_changed` once. */
  removeAll(ids: readonly number[]): Promise<RedirectRule[]>
  /** @throws RestError 404 `redirect_not_found` */
  remove(id: number): Promise<RedirectRule>
  /** @throws RestError 404 `redirect_not_found` */
  get(id: number): Promise<RedirectRule>
  list(query: RedirectListQuery): Promise<{ rules: RedirectRule[]; total: number }>
  /** All rules, oldest first. */
  all(): Promise<RedirectRule[]>
  /** Points each redirect at its final target. Returns the changed redirects. */
  flatten(): Promise<RedirectRule[]>
  /** Follows a path and query of this site. Hits are not counted. */
  trace(url: string): Promise<Trace>
}
