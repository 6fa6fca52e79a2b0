import { expect } from 'chai'
import request from 'supertest'
import { z } from 'zod'
import { registerHealthRoute } from '../../cms/operations/index.ts'
import { registerInspectionRoutes } from '../../cms/rest/inspection-routes.ts'
import type { Route } from '../../core/rest/types.ts'
import { registerDemoRoutes } from './demo-routes.ts'
import { createRestSite, type RestSite } from './rest-site.ts'

interface Operation {
  operationId: string
  tags?: string[]
  security: Record<string, string[]>[]
  parameters: { name: string; in: string; required: boolean; schema: object }[]
  requestBody?: { content: Record<string, { schema: { properties?: object; required?: string[] } }> }
  responses: Record<string, object>
}

interface Document {
  openapi: string
  info: { title: string; version: string }
  servers: { url: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { securitySchemes: object }
}

describe('GET host/v1/openapi.json', () => {
  let site: RestSite
  let document: Document
  before(async () => {
    site = await createRestSite()
    registerHealthRoute(site.rest, { version: '1.2.3', startedAt: Date.now() })
    registerInspectionRoutes(site.rest, { openApi: site.openApi, inspectHooks: site.hooks.inspect })
    registerDemoRoutes(site.rest)
    const Tree = z.object({
      name: z.string(),
      get parts() {
        return z.array(Tree).optional()
      },
    })
    site.rest.registerRoute('tree/v1', {
      method: ['POST', 'GET'],
      path: '/{kind}/{id:\\d+}',
      access: 'public',
      input: z.object({ kind: z.enum(['oak']), id: z.int(), tree: Tree, tags: z.array(z.string()).default([]) }),
      handler: () => null,
    })
    site.rest.registerRoute('tree/v1', { method: 'GET', path: '/{kind}/{slug}', access: 'public', handler: () => null })
    site.rest.registerRoute('tree/v1', {
      method: 'PUT',
      path: '/upload',
      access: 'upload_files',
      body: 'stream',
      input: z.object({ name: z.string() }),
      handler: () => null,
    })
    const answer = await request(site.url)
      .get('/wp-json/host/v1/openapi.json')
      .expect(200)
      .expect('Content-Type', /json/)
    document = answer.body
  })
  after(() => site.close())

  it('says what a success answers, and that a JSON value is anything', () => {
    const Leaf = z.object({ color: z.string() }).meta({ id: 'Leaf' })
    const answer = z.object({ leaves: z.array(Leaf), best: Leaf.nullable(), note: z.json() })
    const undo = site.rest.registerRoute('leaf/v1', {
      ...{
        method: 'GET',
        path: '/leaves',
        access: 'public',
        answer,
        handler: () => ({ leaves: [], best: null, note: 1 }),
      },
    })
    const { paths, components } = JSON.parse(JSON.stringify(site.openApi()))
    undo()
    const { schema } = paths['/leaf/v1/leaves'].get.responses['2XX'].content['application/json']
    expect(schema.properties.leaves).to.deep.equal({ type: 'array', items: { $ref: '#/components/schemas/Leaf' } })
    expect(schema.properties.best.anyOf[0]).to.deep.equal({ $ref: '#/components/schemas/Leaf' })
    expect(components.schemas.Leaf.required).to.deep.equal(['color'])
    const note = schema.properties.note.$ref.split('/').at(-1)
    expect(components.schemas[note]).to.deep.equal({ description: 'Any JSON value.' })
    const own = Object.entries(components.schemas).filter(([name, one]) =>
      JSON.stringify(Object(one).anyOf ?? []).includes(`"#/components/schemas/${name}"`),
    )
    expect(own, 'aliases of themselves').to.deep.equal([])
  })

  it('says of a success that is not JSON what it is', () => {
    const routes: readonly Pick<Route, 'path' | 'response' | 'responseTypes'>[] = [
      { path: '/file', responseTypes: ['application/zip'] },
      { path: '/table', responseTypes: ['text/csv'], response: z.array(z.string()) },
      { path: '/nothing', response: z.undefined() },
    ]
    const undo = routes.map((route) =>
      site.rest.registerRoute('file/v1', { method: 'GET', access: 'public', handler: () => null, ...route }),
    )
    const { paths } = JSON.parse(JSON.stringify(site.openApi()))
    for (const one of undo) one()
    const success = (name: string) => paths[`/file/v1/${name}`].get.responses['2XX']
    expect(success('file').content).to.deep.equal({ 'application/zip': {} })
    expect(success('table').content).to.deep.equal({
      'application/json': { schema: { type: 'array', items: { type: 'string' } } },
      'text/csv': { schema: { type: 'string' } },
    })
    expect(success('nothing')).not.to.have.property('content')
  })

  it('describes routes with the former option names answer and answerTypes until 1.0.0', () => {
    const routes: readonly Pick<Route, 'path' | 'answer' | 'answerTypes'>[] = [
      { path: '/count', answer: z.object({ count: z.int() }) },
      { path: '/file', answerTypes: ['application/zip'] },
    ]
    const undo = routes.map((route) =>
      site.rest.registerRoute('former/v1', { method: 'GET', access: 'public', handler: () => null, ...route }),
    )
    const { paths } = JSON.parse(JSON.stringify(site.openApi()))
    for (const one of undo) one()
    const content = (name: string) => paths[`/former/v1/${name}`].get.responses['2XX'].content
    expect(content('count')['application/json'].schema.properties).to.have.property('count')
    expect(content('file')).to.deep.equal({ 'application/zip': {} })
  })

  const operations = () => Object.values(document.paths).flatMap((path) => Object.values(path))
  const operation = (path: string, method: string) => {
    const found = document.paths[path]?.[method]
    if (!found) throw new Error(`${method} ${path} is not described`)
    return found
  }

  it('is OpenAPI 3.1 of every route', () => {
    expect(document.openapi).to.equal('3.1.0')
    expect(document.info.title).to.equal('Gazette')
    expect(document.servers).to.deep.equal([{ url: 'http://site.example/wp-json' }])
    for (const { path, methods } of site.rest.routes()) {
      for (const method of methods) operation(path, method.toLowerCase())
    }
  })

  it('has unique operation ids', () => {
    const ids = operations().map(({ operationId }) => operationId)
    expect(new Set(ids).size).to.equal(ids.length)
    expect(ids).to.include('put_demo_v1_settings')
  })

  it('declares each capture of a path once, as required', () => {
    for (const [path, methods] of Object.entries(document.paths)) {
      const captures = [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name)
      for (const { parameters } of Object.values(methods)) {
        const declared = parameters.filter((parameter) => parameter.in === 'path')
        expect(declared.map(({ name }) => name)).to.deep.equal(captures)
        expect(declared.every(({ required }) => required)).to.equal(true)
        expect(new Set(parameters.map(({ name }) => name)).size).to.equal(parameters.length)
      }
    }
    const id = operation('/tree/v1/{kind}/{id}', 'get').parameters.find(({ name }) => name === 'id')
    expect(id?.schema).to.deep.equal({ type: 'integer' })
  })

  it('contains only valid references', () => {
    const references: string[] = []
    JSON.stringify(document, (key, value) => {
      if (key === '$ref') references.push(value)
      return value
    })
    expect(references.some((reference) => reference.includes('tree'))).to.equal(true)
    for (const reference of references) {
      expect(reference).to.match(/^#\//)
      let place: unknown = document
      for (const key of reference.slice(2).split('/')) place = Object(place)[key]
      expect(place, reference).to.be.an('object')
    }
    expect(JSON.stringify(document)).not.to.include('$defs')
  })

  it('puts the input of writing methods into the body, of others into the query', () => {
    const put = operation('/demo/v1/settings', 'put')
    expect(put.parameters).to.deep.equal([])
    expect(put.requestBody?.content['application/json']?.schema).to.deep.equal({
      type: 'object',
      properties: {
        settings: { type: 'object' },
        count: { type: 'integer', minimum: 1, maximum: 10 },
        mode: { type: 'string', enum: ['a', 'b'] },
      },
      required: ['settings'],
    })
    const get = operation('/tree/v1/{kind}/{id}', 'get')
    expect(get).not.to.have.property('requestBody')
    expect(get.parameters.find(({ name }) => name === 'tags')).to.include({
      in: 'query',
      style: 'form',
      explode: false,
    })
    const upload = operation('/tree/v1/upload', 'put')
    expect(Object.keys(upload.requestBody?.content ?? {})).to.deep.equal(['application/octet-stream'])
    expect(upload.parameters.map(({ name }) => name)).to.deep.equal(['name'])
  })

  it('says who may call, and how a refusal looks', () => {
    const schemes = Object.keys(document.components.securitySchemes)
    for (const { security, responses } of operations()) {
      for (const way of security) expect(schemes).to.include.members(Object.keys(way))
      expect(responses.default).to.deep.equal({ $ref: '#/components/responses/Error' })
    }
    expect(operation('/demo/v1/open', 'post').security[0]).to.deep.equal({})
    expect(operation('/demo/v1/settings', 'put').security[0]).to.deep.equal({ applicationPassword: [] })
  })
})

describe('host/v1', () => {
  let site: RestSite
  before(async () => {
    site = await createRestSite()
    registerHealthRoute(site.rest, { version: '1.2.3', startedAt: Date.now() - 5000 })
    registerInspectionRoutes(site.rest, { openApi: site.openApi, inspectHooks: site.hooks.inspect })
  })
  after(() => site.close())

  it('GET /health returns version and uptime in milliseconds', async () => {
    const { body } = await request(site.url).get('/wp-json/host/v1/health').expect(200)
    expect(body.status).to.equal('success')
    expect(body.data).to.include({ ok: true, version: '1.2.3' })
    expect(body.data.uptime).to.be.a('number').that.is.at.least(5000)
    expect(Number.isInteger(body.data.uptime)).to.equal(true)
  })

  it('GET /hooks shows every hook to administrators', async () => {
    site.hooks.addFilter('rest_post_dispatch', function watch(response) {
      return response
    })
    await request(site.url).get('/wp-json/host/v1/hooks').expect(401)
    const { body } = await request(site.url).get('/wp-json/host/v1/hooks').set('Authorization', site.admin).expect(200)
    const found = body.data.hooks.find(({ name }: { name: string }) => name === 'rest_post_dispatch')
    expect(found.listeners[0]).to.include({ callback: 'watch', priority: 10 })
    expect(found.listeners[0].calls).to.be.at.least(1)
  })
})
