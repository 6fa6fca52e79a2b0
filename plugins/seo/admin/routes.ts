/** What the routes of `seo/v1` answer. */

export const SEO = 'seo/v1'
export const REDIRECTS = `${SEO}/redirects`
export const MISSING_PAGES = `${SEO}/404s`
export const INDEXNOW = `${SEO}/geo/indexnow`
export const MIGRATION = `${SEO}/legacy-seo/migrate`

export interface SeoActionItem {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly weight: number
  readonly action: { readonly type: 'setting' | 'screen'; readonly target: string }
}

export interface Daily {
  readonly date: string
  readonly hits: number
}

export interface Overview {
  readonly scorePercent: number
  readonly actionItems: readonly SeoActionItem[]
  readonly redirects: number
  readonly missingPages: number
  readonly crawls: readonly Daily[]
}

export interface SetupStep {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly settings: readonly string[]
}

export interface Setup {
  readonly completedAt: string | null
  readonly steps: readonly SetupStep[]
}

export type RedirectMatch = 'exact' | 'wildcard' | 'regex'

export interface Redirect {
  readonly id: number
  readonly source: string
  readonly target: string
  readonly match: RedirectMatch
  readonly status: number
  readonly query: 'ignore' | 'exact' | 'pass'
  readonly caseSensitive: boolean
  readonly enabled: boolean
  readonly hits: number
  readonly lastHitAt: string | null
  readonly createdAt: string
  readonly note: string
}

export interface Trace {
  readonly hops: readonly {
    readonly url: string
    readonly rule: { readonly id: number; readonly source: string; readonly status: number }
    readonly location: string | null
  }[]
  readonly end: 'page' | 'elsewhere' | 'gone' | 'loop' | 'unknown'
  readonly url: string
}

export interface ImportResult {
  readonly imported: number
  readonly skipped: number
  readonly errors: readonly { readonly line: number; readonly message: string }[]
}

export interface MissingPage {
  readonly id: number
  readonly url: string
  readonly hits: number
  readonly firstSeenAt: string
  readonly lastSeenAt: string
  readonly referrer: string | null
  readonly userAgent: string | null
  readonly suggestion: string | null
}

export interface Crawler {
  readonly name: string
  readonly vendor: string
  readonly purpose: 'training' | 'search' | 'user'
  readonly hits: number
  readonly pages: readonly { readonly url: string; readonly hits: number }[]
  readonly lastSeenAt: string
  readonly verified?: boolean
  readonly spoofed?: number
}

export interface Crawlers {
  readonly days: number
  readonly total: number
  readonly crawlers: readonly Crawler[]
  readonly daily: readonly Daily[]
}

interface Source {
  readonly name: string
  readonly visits: number
}

export interface Referrals {
  readonly days: number
  readonly total: number
  readonly sources: readonly Source[]
  readonly pages: readonly { readonly url: string; readonly visits: number; readonly sources: readonly Source[] }[]
  readonly daily: readonly { readonly date: string; readonly visits: number }[]
}

export interface Submission {
  readonly submittedAt: string
  readonly urls: number
  readonly status: number | null
  readonly endpoint: string
  readonly origin: 'manual' | 'automatic'
  readonly message: string
}

export interface Orphan {
  readonly postId: number
  readonly title: string
  readonly url: string
  readonly type: string
  readonly publishedAt: string
}

export interface LinkSuggestion {
  readonly postId: number
  readonly title: string
  readonly url: string
  readonly score: number
  readonly anchors: readonly string[]
}

export interface LegacyPlugin {
  readonly id: string
  readonly name: string
  readonly posts: number
  readonly settings: boolean
}

interface Count {
  readonly found: number
  readonly changed: number
}

export interface MigrationReport {
  readonly posts: Count
  readonly terms: Count
  readonly values: {
    readonly written: number
    readonly same: number
    readonly kept: number
    readonly writtenOut: number
    readonly notTaken: readonly { readonly what: string; readonly times: number }[]
  }
  readonly settings: { readonly written: readonly string[]; readonly kept: readonly string[] }
  readonly redirects: ImportResult & { readonly found: number }
}

export interface Migration {
  readonly from: string
  readonly dryRun: boolean
  readonly state: 'running' | 'complete' | 'failed' | 'cancelled'
  readonly percent: number
  readonly error: string | null
  readonly report: MigrationReport | null
}
