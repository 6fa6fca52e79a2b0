import type { AnswerOf } from 'pentad'
import { z } from 'zod'

/** How a source is read: as one address, with `*` for anything, or as a regular expression of RE2. */
export const MATCHES = ['exact', 'wildcard', 'regex'] as const
export type RedirectMatch = (typeof MATCHES)[number]

/** 410 and 451 lead nowhere and need no target. */
export const STATUSES = [301, 302, 307, 308, 410, 451] as const
export type RedirectStatus = (typeof STATUSES)[number]

/**
 * What becomes of the query of a request. `ignore`: the parameters of the source must be there, others count for nothing.
 * `exact`: they must be all, in any order. `pass`: as `ignore`, and the others go on to the target. A pattern sees the
 * query only with `exact`.
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

/** What a rule does. */
export type RedirectTerms = AnswerOf<typeof termsShape>

export const ruleShape = termsShape.extend({
  ...{ id: z.int(), enabled: z.boolean(), hits: z.int(), lastHitAt: z.string().nullable() },
  ...{ createdAt: z.string(), note: z.string() },
})

/** A rule as the outside sees it (contract 5). Times are ISO 8601. */
export type RedirectRule = AnswerOf<typeof ruleShape>

type Perhaps<Type> = { readonly [Key in keyof Type]?: Type[Key] | undefined }

/** What a rule is made from; whatever is left out has its default: 301, `exact`, `ignore`, enabled. */
export type RedirectInput = Pick<RedirectRule, 'source'> & Perhaps<Omit<RedirectRule, 'id' | 'source'>>

/** What a rule may become; the rest of it stays. */
export type RedirectChanges = Perhaps<Omit<RedirectRule, 'id' | 'hits' | 'lastHitAt' | 'createdAt'>>

/** A rule of an import, with the line of the file that it comes from, or its place among the rules, from 1. */
export interface ImportedRule {
  readonly line: number
  /** Still to be checked, as a stranger's word. */
  readonly rule: unknown
}

export const importShape = z.object({
  imported: z.int(),
  skipped: z.int().describe('Number of redirects that already exist.'),
  errors: z.array(z.object({ line: z.int(), message: z.string() })),
})
export type ImportResult = AnswerOf<typeof importShape>

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

/** One hop of a request, and why. */
export type Hop = AnswerOf<typeof hopShape>

/**
 * How a way ends. `page`: no rule takes the last address, the site itself answers. `elsewhere`: it leads to another site.
 * `gone`: 410 or 451. `loop`: it comes back to where it was, and so is not followed. `unknown`: longer than anybody follows.
 */
const ENDS = ['page', 'elsewhere', 'gone', 'loop', 'unknown'] as const

export const traceShape = z.object({
  hops: z.array(hopShape),
  end: z.enum(ENDS),
  url: z.string().describe('Final path or URL.'),
})

/** The way of a request through the rules. */
export type Trace = AnswerOf<typeof traceShape>

/** The redirects of a site: what the other parts of the service and the routes use. */
export interface Redirects {
  /**
   * Makes a rule; it counts when this resolves. Fires `seo_redirects_changed`.
   * @throws RestError 400 `rest_invalid_param`, `invalid_regex`; 409 `redirect_exists`, `redirect_loop`
   */
  create(input: RedirectInput): Promise<RedirectRule>
  /**
   * Makes all rules that can be; one that cannot be never stops the rest. Of two with the same source the first one
   * stays, and a rule that would close a loop with those before it is an error. Fires `seo_redirects_changed` once.
   */
  import(rules: Iterable<ImportedRule>): Promise<ImportResult>
  /** Changes a rule. @throws RestError as `create`, and 404 `redirect_not_found` */
  update(id: number, changes: RedirectChanges): Promise<RedirectRule>
  /** Switches rules on or off. One that cannot be, as it would close a loop, never stops the rest. */
  switchAll(
    ids: readonly number[],
    enabled: boolean,
  ): Promise<{ changed: number; errors: { id: number; message: string }[] }>
  /** Removes those of the rules that there are. Fires `seo_redirects_changed` once. */
  removeAll(ids: readonly number[]): Promise<RedirectRule[]>
  /** @throws RestError 404 `redirect_not_found` */
  remove(id: number): Promise<RedirectRule>
  /** @throws RestError 404 `redirect_not_found` */
  get(id: number): Promise<RedirectRule>
  list(query: RedirectListQuery): Promise<{ rules: RedirectRule[]; total: number }>
  /** All rules, oldest first. */
  all(): Promise<RedirectRule[]>
  /** Lets every rule lead straight to where its visitors end. Answers the rules that changed. */
  flatten(): Promise<RedirectRule[]>
  /** Where a path and query of this site leads. Counts nothing. */
  trace(url: string): Promise<Trace>
}
