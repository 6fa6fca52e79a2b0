/** Claim: a route that requires a capability, called with an application password, has at least a third of the throughput of a minimal Koa app. */
import { compare, startServer } from './load.ts'

const pentad = await startServer('pentad-site.ts')
const { url, authorization } = JSON.parse(pentad.line)
const route = `${url}/wp-json/announcement-bar/v1/bar`
const body = await (await fetch(route, { headers: { authorization } })).text()
const koa = await startServer('koa-app.ts', { BODY: body, BODY_TYPE: 'json' })
try {
  compare(
    'Route that requires a capability, with an application password',
    { url: route, headers: { Authorization: authorization } },
    { url: koa.line },
    1 / 3,
  )
} finally {
  pentad.stop()
  koa.stop()
}
