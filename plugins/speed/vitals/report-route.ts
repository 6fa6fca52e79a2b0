import { RestError, type RestRequest, RestResponse, type Route } from 'pentad'
import { z } from 'zod'
import type { Collection } from './collection.ts'
import { DEVICES, type Device, METRIC_IDS, METRICS } from './metrics.ts'
import type { Tokens } from './token.ts'
import type { Visitors } from './visitors.ts'

/** Bytes of body that a report may have. */
const BODY_LIMIT = 16 * 1024

/** `"5"` is no number here, though it is one for REST parameters elsewhere: so the value is looked at as it came. */
const value = z.unknown().pipe(z.number().min(0))

const metricSchema = z
  .object({
    name: z.enum(METRIC_IDS),
    value: value.meta({ description: 'Milliseconds; of CLS the score.' }),
    id: z.string().regex(/^[\w.-]{1,64}$/, 'must be an id as the library web-vitals makes it'),
    rating: z.enum(['good', 'needs-improvement', 'poor']).optional(),
    navigationType: z.string().max(30).optional(),
  })
  .refine((metric) => metric.value <= METRICS[metric.name].maximum, {
    path: ['value'],
    message: 'value is out of bounds',
  })

const input = z.object({
  token: z.string().max(200).meta({ description: 'As the page has it.' }),
  url: z.string().max(2048).meta({ description: 'Of the page; its query does not count.' }),
  metrics: z.array(metricSchema).min(1).max(10),
  device: z.enum(DEVICES).optional(),
  connection: z.string().max(30).optional(),
})

/**
 * `POST /web-vitals/report`: a visitor's browser says how fast a page was. JSON, also as text (`sendBeacon`).
 * One value that cannot be refuses the whole report.
 */
export function reportRoute(parts: {
  siteUrl: string
  tokens: Tokens
  visitors: Visitors
  collection: Collection
}): Route<typeof input> {
  const { siteUrl, tokens, visitors, collection } = parts
  const { origin } = new URL(siteUrl)

  /** @throws RestError `rest_invalid_param` */
  function pathOf(url: string): string {
    const parsed = URL.parse(url, origin)
    if (parsed?.origin === origin) return parsed.pathname
    const params = { url: 'url must be a page of this site.' }
    throw new RestError('rest_invalid_param', 'Invalid parameter(s): url', { status: 400, params })
  }

  return {
    method: 'POST',
    path: '/web-vitals/report',
    access: 'public',
    summary: 'Takes the web vitals that a visitor’s browser has measured.',
    input,
    answer: z.undefined(),
    bodyLimit: BODY_LIMIT,
    batch: false,
    async handler(request) {
      refuseForeign(request, origin)
      visitors.admit(request.clientAddress)
      const { token, url, metrics } = request.input
      const page = tokens.read(token, pathOf(url))
      if (!page) throw new RestError('invalid_token', 'The token is not, or no longer, the page’s.', { status: 403 })
      const device = request.input.device ?? deviceOf(request.headers['user-agent'] ?? '')
      await collection.add({ group: page.group, device }, metrics, visitors.pseudonym(request.clientAddress))
      return new RestResponse(undefined, { status: 204 })
    },
  }
}

/**
 * Only a script in a page of this site may report. Browsers say where a script comes from and let it say nothing else;
 * other programs can lie, and gain nothing that the limits do not take.
 * @throws RestError 403 `invalid_origin`
 */
function refuseForeign({ headers }: Pick<RestRequest, 'headers'>, own: string): void {
  const from = headers.origin ?? (headers.referer ? URL.parse(headers.referer)?.origin : undefined)
  const site = headers['sec-fetch-site']
  if (from === own && (site === undefined || site === 'same-origin')) return
  throw new RestError('invalid_origin', 'Reports come from pages of this site only.', { status: 403 })
}

function deviceOf(userAgent: string): Device {
  if (/iPad|Tablet|Android(?!.*Mobile)/.test(userAgent)) return 'tablet'
  return /Mobi|iPhone/.test(userAgent) ? 'mobile' : 'desktop'
}
