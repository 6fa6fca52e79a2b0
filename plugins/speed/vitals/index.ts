import { type ExtensionHost, type Scripts, success, successSchema } from 'pentad'
import type { SpeedSettings } from '../settings.ts'
import { type Collection, createCollection } from './collection.ts'
import { printPageScript } from './page-script.ts'
import { performanceScore, performanceScoreShape } from './performance-score.ts'
import { reportRoute } from './report-route.ts'
import { createTokens } from './token.ts'
import { createVisitors } from './visitors.ts'

/** Measures web vitals, receives reports and serves the performance score. */
export function registerVitals(
  host: ExtensionHost,
  parts: { settings: () => SpeedSettings; scripts: Scripts },
): Collection {
  const tokens = createTokens(host.site.key('web vitals'))
  const visitors = createVisitors()
  const collection = createCollection(host)
  printPageScript(host, { ...parts, tokens })
  host.rest.registerRoute('speed/v1', reportRoute({ siteUrl: host.site.url, tokens, visitors, collection }))
  host.rest.registerRoute('speed/v1', {
    method: 'GET',
    path: '/performance-score/fetch',
    access: 'manage_options',
    summary: 'Returns the performance score and the Core Web Vitals of real visitors.',
    response: successSchema(performanceScoreShape),
    handler: async () => success(performanceScore(await collection.samples())),
  })
  return collection
}
