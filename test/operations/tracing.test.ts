import { channel } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { registerHooks } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect } from 'chai'
import { z } from 'zod'
import { createTestHost } from '../../app/testing/index.ts'
import { loadPackages } from '../../cms/operations/tracing/packages.ts'
import { temporaryFolder } from '../support/site-folder.ts'

const valueSchema = z.object({ stringValue: z.string().optional(), intValue: z.coerce.string().optional() })
const attributesSchema = z
  .array(z.object({ key: z.string(), value: valueSchema }))
  .transform((list) => Object.fromEntries(list.map(({ key, value }) => [key, value.stringValue ?? value.intValue])))
const spanSchema = z.object({
  ...{ traceId: z.string(), spanId: z.string(), parentSpanId: z.string().optional(), name: z.string() },
  ...{ kind: z.number(), attributes: attributesSchema, status: z.object({ code: z.number().default(0) }) },
})
/** `ExportTraceServiceRequest` of OTLP (opentelemetry-proto, collector/trace/v1), in JSON. */
const exportSchema = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: attributesSchema }),
      scopeSpans: z.array(z.object({ spans: z.array(spanSchema) })),
    }),
  ),
})
type Export = z.output<typeof exportSchema>

/** Everything that it does takes at least 5 ms: shorter calls in a request have no span. */
const SLOW = `import { defineExtension } from 'pentad'
const work = () => {
  for (const start = performance.now(); performance.now() - start < 5; );
}
export default defineExtension({
  id: 'slow',
  name: 'Slow',
  version: '1.0.0',
  setup({ hooks, jobs }) {
    hooks.addFilter('the_content', (content) => {
      work()
      return content
    })
    const { queue } = jobs.createQueue({ name: 'letters', work: async () => work() })
    hooks.addAction('wp_head', () => void queue.push('a'))
  },
})`

describe('Traces', () => {
  const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
  const PARENT = '00f067aa0ba902b7'
  const received: Export[] = []
  const paths: string[] = []
  let receiver: Server

  before(async () => {
    receiver = createServer(async (request, response) => {
      paths.push(`${request.method} ${request.url} ${request.headers['content-type']}`)
      received.push(exportSchema.parse(JSON.parse((await buffer(request)).toString())))
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}')
    })
    receiver.listen(0, '127.0.0.1')
    await once(receiver, 'listening')
  })
  afterEach(() => {
    delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT
    delete process.env.OTEL_SERVICE_NAME
  })
  after(() => receiver.close())

  const isObserved = () => channel('tracing:pentad.extension-call:start').hasSubscribers

  it('are off without a receiver, and say which packages they need', async () => {
    const site = await createTestHost()
    expect(isObserved()).to.equal(false)
    await site.close()
    const hooks = registerHooks({
      resolve(specifier, context, next) {
        if (specifier === '@opentelemetry/sdk-trace') throw new Error('not installed')
        return next(specifier, context)
      },
    })
    const error = await loadPackages().catch((thrown: Error) => thrown)
    hooks.deregister()
    expect(error).to.be.an('error')
    expect(String(error)).to.match(/npm install @opentelemetry\/core .*@opentelemetry\/sdk-trace/)
  })

  it('are sent by OTLP: requests by route, callbacks and queues by owner, and statements', async () => {
    const { port } = receiver.address() as AddressInfo
    process.env.OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${port}`
    process.env.OTEL_SERVICE_NAME = 'shop'
    const file = join(temporaryFolder(), 'slow.ts')
    writeFileSync(file, SLOW)
    const site = await createTestHost({ extensions: [file] })
    const traced = { headers: { traceparent: `00-${TRACE}-${PARENT}-01` } }
    const post = await site.get('/wp-json/wp/v2/posts/1', traced)
    const id = post.headers.get('x-request-id')
    await post.text()
    await (await site.get('/hello-world/')).text()
    await site.close()
    expect(isObserved()).to.equal(false)

    expect(new Set(paths)).to.deep.equal(new Set(['POST /v1/traces application/json']))
    expect(received[0]?.resourceSpans[0]?.resource.attributes).to.include({ 'service.name': 'shop' })
    const spans = received.flatMap(({ resourceSpans }) =>
      resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
    )
    const named = (name: string) => spans.filter((span) => span.name === name)
    const [request] = named('GET /wp-json/wp/v2/posts/{id}')
    expect(request).to.include({ traceId: TRACE, parentSpanId: PARENT, kind: 2 })
    expect(request?.attributes).to.include({
      ...{ 'http.request.method': 'GET', 'http.route': '/wp-json/wp/v2/posts/{id}' },
      ...{ 'http.response.status_code': '200', 'pentad.request_id': id },
    })
    const [page] = named('GET page')
    const within = spans.filter(({ parentSpanId }) => parentSpanId === page?.spanId)
    expect(
      within
        .filter(({ attributes }) => attributes['pentad.owner'] === 'slow')
        .map(({ name }) => name)
        .join(),
    ).to.contain('the_content')
    const [select] = named('select').filter(({ traceId }) => traceId === page?.traceId)
    expect(select?.attributes).to.include({ 'db.system.name': 'sqlite', 'db.operation.name': 'select' })
    expect(select?.attributes['db.query.text']).to.match(/^select .* from "?\w+"?/)
    const queued = spans.find(({ name, attributes }) => /letters/.test(name) && attributes['pentad.owner'] === 'slow')
    expect(queued, spans.map(({ name }) => name).join()).to.not.equal(undefined)
  })
})
