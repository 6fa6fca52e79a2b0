import { join } from 'node:path'
import { createTestHost, type TestHost, type TestHostOptions } from 'pentad/testing'

export const SPEED = join(import.meta.dirname, '../../plugins/speed')

/** Where the site believes to be; requests reach it on a port of its own. */
export const SITE = 'http://site.test'

export const REPORT = '/wp-json/speed/v1/web-vitals/report'

/** A site with the performance service behind a proxy on this machine, so that a test can come from many addresses. */
export function openSite(options: TestHostOptions = {}): Promise<TestHost> {
  const config = { url: SITE, trustedProxies: ['127.0.0.1'], ...options.config }
  return createTestHost({ extensions: [SPEED], ...options, config })
}

/** The token that a page carries. */
export async function tokenOf(host: TestHost, path = '/'): Promise<string> {
  const html = await (await host.get(path)).text()
  return /id="?speed-vitals"?>\{"token":"([^"]+)"/.exec(html)?.[1] ?? ''
}

let visits = 0

/** An address that nobody else in the tests has. */
export function anyAddress(): string {
  visits++
  return `10.${(visits >> 16) & 255}.${(visits >> 8) & 255}.${visits & 255}`
}

/** An id as web-vitals makes it, new each time. */
export function anyId(): string {
  return `v5-1700000000000-${String(++visits).padStart(13, '0')}`
}

/** The headers of a report that a script in a page of the site sends. */
export const fromPage = (address = anyAddress()) => ({ Origin: SITE, 'X-Forwarded-For': address })

interface ReportedMetric {
  id: string
  value: number | null
  p75: number | null
  unit: string
  rating: string | null
  samples: number
  histogram: { from: number; to: number | null; rating: string; count: number }[]
}

/** What the administrator is told of how fast pages are. */
export async function fetchScore(host: TestHost) {
  const { users, applicationPasswords } = host.host.auth
  const admin = await users.getByLogin('admin')
  const { password } = await applicationPasswords.create(admin?.id ?? 0, anyId())
  const headers = { Authorization: `Basic ${btoa(`admin:${password}`)}` }
  const answer = await host.get('/wp-json/speed/v1/performance-score/fetch', { headers })
  const body: {
    status: string
    data: {
      score: number | null
      rating: string | null
      samples: number
      metrics: ReportedMetric[]
      devices: { id: string; samples: number; score: number | null }[]
      pages: { id: string; samples: number; score: number | null; metrics: ReportedMetric[] }[]
    }
  } = JSON.parse(await answer.text())
  return body.data
}

/** What the administrator is told of one metric. */
export async function fetchMetric(host: TestHost, id: string) {
  const { metrics } = await fetchScore(host)
  const metric = metrics.find((each) => each.id === id)
  if (!metric) throw new Error(`There is no metric ${id}.`)
  return metric
}
