/** Responses of the routes of `seo/v1`. */
import type { Responses } from 'pentad/admin/api/responses.ts'

export const SEO = 'seo/v1'
export const REDIRECTS = `${SEO}/redirects`
export const MISSING_PAGES = `${SEO}/404s`
export const INDEXNOW = `${SEO}/geo/indexnow`
export const MIGRATION = `${SEO}/legacy-seo/migrate`

export type SeoActionItem = Overview['actionItems'][number]

export type Daily = Overview['crawls'][number]

export type Overview = Responses['GET /seo/v1/overview']

export type SetupStep = Setup['steps'][number]

export type Setup = Responses['GET /seo/v1/setup']

export type RedirectMatch = Redirect['match']

export type Redirect = Responses['GET /seo/v1/redirects']['items'][number]

export type Trace = Responses['POST /seo/v1/redirects/test']

export type ImportResult = Responses['POST /seo/v1/redirects/import']

export type MissingPage = Responses['GET /seo/v1/404s']['items'][number]

export type Crawler = Crawlers['crawlers'][number]

export type Crawlers = Responses['GET /seo/v1/geo/crawlers']

export type Referrals = Responses['GET /seo/v1/geo/referrals']

export type Submission = Responses['GET /seo/v1/geo/indexnow']['items'][number]

export type Orphan = Responses['GET /seo/v1/orphans']['items'][number]

export type LinkSuggestion = Responses['GET /seo/v1/link-suggestions']['suggestions'][number]

export type LegacyPlugin = Responses['GET /seo/v1/legacy-seo']['plugins'][number]

export type MigrationReport = NonNullable<Migration['report']>

export type Migration = NonNullable<Responses['GET /seo/v1/legacy-seo/migrate']['migration']>
