/** Responses of the routes of `seo/v1`. */
import type { Answers } from 'pentad/admin/api/answers.ts'

export const SEO = 'seo/v1'
export const REDIRECTS = `${SEO}/redirects`
export const MISSING_PAGES = `${SEO}/404s`
export const INDEXNOW = `${SEO}/geo/indexnow`
export const MIGRATION = `${SEO}/legacy-seo/migrate`

export type SeoActionItem = Overview['actionItems'][number]

export type Daily = Overview['crawls'][number]

export type Overview = Answers['GET /seo/v1/overview']

export type SetupStep = Setup['steps'][number]

export type Setup = Answers['GET /seo/v1/setup']

export type RedirectMatch = Redirect['match']

export type Redirect = Answers['GET /seo/v1/redirects']['items'][number]

export type Trace = Answers['POST /seo/v1/redirects/test']

export type ImportResult = Answers['POST /seo/v1/redirects/import']

export type MissingPage = Answers['GET /seo/v1/404s']['items'][number]

export type Crawler = Crawlers['crawlers'][number]

export type Crawlers = Answers['GET /seo/v1/geo/crawlers']

export type Referrals = Answers['GET /seo/v1/geo/referrals']

export type Submission = Answers['GET /seo/v1/geo/indexnow']['items'][number]

export type Orphan = Answers['GET /seo/v1/orphans']['items'][number]

export type LinkSuggestion = Answers['GET /seo/v1/link-suggestions']['suggestions'][number]

export type LegacyPlugin = Answers['GET /seo/v1/legacy-seo']['plugins'][number]

export type MigrationReport = NonNullable<Migration['report']>

export type Migration = NonNullable<Answers['GET /seo/v1/legacy-seo/migrate']['migration']>
