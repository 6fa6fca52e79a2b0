import type { TestHost, TestHostOptions } from 'pentad/testing'
import { generateLicenseKeyPair, issueLicense } from '../../../cms/license/index.ts'
import { openSeoSite } from '../seo-site.ts'

export const GPTBOT =
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; GPTBot/1.3; +https://openai.com/gptbot'
export const GOOGLEBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'
export const BROWSER =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

/** One of GPTBot's own addresses, and one that is somebody's at home. */
export const OF_GPTBOT = '20.171.206.9'
export const AT_HOME = '84.112.3.4'

const { privateKey, publicKey } = generateLicenseKeyPair()

/** A site that believes its proxy, which is this machine, so that a test can come from any address. */
export function openVisitedSite({ config, ...options }: TestHostOptions = {}): Promise<TestHost> {
  return openSeoSite({ ...options, config: { licensePublicKey: publicKey, trustedProxies: ['127.0.0.1'], ...config } })
}

/** Switches Pro on. */
export async function license(site: TestHost): Promise<void> {
  await site.host.license.set(issueLicense({ licensee: 'Ada', plan: 'pro' }, privateKey))
}

/** Visits a page, with headers and from an address of one's own. */
export async function visit(
  site: { readonly url: string },
  path: string,
  { from, as = BROWSER, ...headers }: { from?: string; as?: string; [name: string]: string | undefined } = {},
): Promise<Response> {
  const all = { 'User-Agent': as, ...(from !== undefined && { 'X-Forwarded-For': from }), ...headers }
  const sent = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
  const answer = await fetch(new URL(path, site.url), { headers: Object.fromEntries(sent), redirect: 'manual' })
  await answer.arrayBuffer()
  return answer
}

interface CountedPage {
  url: string
  hits: number
}

export interface CrawlerEntry {
  name: string
  vendor: string
  purpose: string
  hits: number
  pages: CountedPage[]
  lastSeenAt: string
  verified?: boolean
  spoofed?: number
}

/** What the administrator is told of crawlers. */
export async function crawlersOf(site: TestHost, query = '') {
  const answer = await site.get(`/wp-json/seo/v1/geo/crawlers${query}`, { as: 'administrator' })
  const body: {
    data: { days: number; total: number; crawlers: CrawlerEntry[]; daily: { date: string; hits: number }[] }
  } = JSON.parse(await answer.text())
  return body.data
}

/** What the administrator is told of referrals. */
export async function referralsOf(site: TestHost, query = '') {
  const answer = await site.get(`/wp-json/seo/v1/geo/referrals${query}`, { as: 'administrator' })
  const body: {
    data: {
      days: number
      total: number
      sources: { name: string; visits: number }[]
      pages: { url: string; visits: number; sources: { name: string; visits: number }[] }[]
      daily: { date: string; visits: number }[]
    }
  } = JSON.parse(await answer.text())
  return body.data
}

export interface MissingEntry {
  id: number
  url: string
  hits: number
  firstSeenAt: string
  lastSeenAt: string
  referrer: string | null
  userAgent: string | null
  suggestion: string | null
}

/** The log of missing pages as the administrator sees it. */
export async function missingOn(site: TestHost, query = '') {
  const answer = await site.get(`/wp-json/seo/v1/404s${query}`, { as: 'administrator' })
  const body: { data: { items: MissingEntry[]; total: number } } = JSON.parse(await answer.text())
  return body.data
}

/** Forgets all that was counted. */
export async function clear(site: TestHost): Promise<void> {
  await site.request('/wp-json/seo/v1/geo/clear', { method: 'POST', as: 'administrator' })
  await site.request('/wp-json/seo/v1/404s', { method: 'DELETE', as: 'administrator' })
}
