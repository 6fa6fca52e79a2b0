import { expect } from 'chai'
import request from 'supertest'
import { z } from 'zod'
import { createRestSite, type RestSite } from './rest-site.ts'

describe('REST parameters', () => {
  let site: RestSite
  before(async () => {
    site = await createRestSite()
  })
  after(() => site.close())

  let count = 0
  /** A public route with this input that answers what arrived; resolves to its address. */
  function echo(input: z.ZodObject, path = ''): string {
    count++
    site.rest.registerRoute('echo/v1', {
      method: ['GET', 'POST'],
      path: `/${count}${path}`,
      access: 'public',
      input,
      handler: ({ input, sent }) => ({ input, sent: [...sent] }),
    })
    return `/wp-json/echo/v1/${count}`
  }
  const get = async (url: string) => (await request(site.url).get(url)).body
  const post = async (url: string, body: object) => (await request(site.url).post(url).send(body)).body
  /** The problem of the one parameter `v` with a value sent as JSON. */
  async function problem(schema: z.ZodType, value: unknown) {
    const { data } = await post(echo(z.object({ v: schema })), { v: value })
    expect(data.params.v).to.equal(data.details.v.message)
    return data.details.v
  }

  describe('where they come from', () => {
    it('takes the path over the body over the query', async () => {
      const url = echo(z.object({ id: z.int(), b: z.string(), q: z.string() }), '/{id:\\d+}')
      const { input, sent } = await post(`${url}/1?id=999&b=query&q=query`, { id: 5, b: 'body' })
      expect(input).to.deep.equal({ id: 1, b: 'body', q: 'query' })
      expect(sent).to.have.members(['id', 'b', 'q'])
    })

    it('fills in defaults, and distinguishes them from sent values', async () => {
      const { input, sent } = await get(`${echo(z.object({ a: z.string().default('x'), b: z.string() }))}?b=y`)
      expect(input).to.deep.equal({ a: 'x', b: 'y' })
      expect(sent).to.deep.equal(['b'])
    })

    it('accepts per_page as well as perPage, and does not change other names', async () => {
      const url = echo(z.object({ perPage: z.int().default(10), order_by: z.string().default('id') }))
      expect((await get(`${url}?per_page=3`)).input).to.deep.equal({ perPage: 3, order_by: 'id' })
      expect((await get(`${url}?per_page=3&perPage=4&orderBy=x`)).input).to.deep.equal({ perPage: 4, order_by: 'id' })
      expect((await get(`${echo(z.object({ per_page: z.int() }))}?per_page=3`)).input).to.deep.equal({ per_page: 3 })
    })

    it('ignores unknown names, or keeps them for a schema that wants them', async () => {
      expect((await post(echo(z.object({})), { x: 1 })).input).to.deep.equal({})
      const url = echo(z.looseObject({ a: z.int().optional() }))
      expect((await post(`${url}?_locale=user`, { x: 1, a: '2' })).input).to.deep.equal({ x: 1, a: 2 })
      const refused = await post(echo(z.strictObject({ a: z.int().optional() })), { x: 1 })
      expect(refused.data.params).to.deep.equal({ x: 'x is not a valid property of Object.' })
    })

    it('takes null for what cannot be null as not given', async () => {
      expect((await post(echo(z.object({ a: z.string().optional() })), { a: null })).input).to.deep.equal({})
      expect((await post(echo(z.object({ a: z.string().nullable() })), { a: null })).input).to.deep.equal({ a: null })
      expect((await post(echo(z.object({ a: z.string() })), { a: null })).code).to.equal('rest_missing_callback_param')
    })

    it('gives the captures of the path to a route without a schema', async () => {
      site.rest.registerRoute('echo/v1', {
        method: 'GET',
        path: '/plain/{name}',
        access: 'public',
        handler: ({ input, params }) => ({ input, params }),
      })
      expect(await get('/wp-json/echo/v1/plain/a%20b')).to.deep.equal({
        input: { name: 'a b' },
        params: { name: 'a b' },
      })
    })
  })

  describe('conversion, as rest_sanitize_value_from_schema', () => {
    const converted = async (schema: z.ZodType, query: string) =>
      (await get(`${echo(z.object({ v: schema }))}?${query}`)).input?.v

    it('makes numbers of texts', async () => {
      expect(await converted(z.int(), 'v=5')).to.equal(5)
      expect(await converted(z.int(), 'v=5.0')).to.equal(5)
      expect(await converted(z.number(), 'v=-1.5e1')).to.equal(-15)
      expect(await converted(z.string(), 'v=5')).to.equal('5')
      for (const wrong of ['', 'abc', '1.5', '0x10', '1e999', 'NaN', 'Infinity']) {
        expect(await converted(z.int(), `v=${wrong}`), wrong).to.equal(undefined)
      }
    })

    it('makes flags of texts and numbers', async () => {
      expect(await converted(z.boolean(), 'v=true')).to.equal(true)
      expect(await converted(z.boolean(), 'v=1')).to.equal(true)
      expect(await converted(z.boolean(), 'v=FALSE')).to.equal(false)
      expect(await converted(z.boolean(), 'v=0')).to.equal(false)
      expect(await converted(z.boolean(), 'v=yes')).to.equal(undefined)
      expect((await post(echo(z.object({ v: z.boolean() })), { v: 1 })).input).to.deep.equal({ v: true })
    })

    it('makes lists of texts and of PHP-style names', async () => {
      expect(await converted(z.array(z.int()), 'v=1,2,%203')).to.deep.equal([1, 2, 3])
      expect(await converted(z.array(z.int()), 'v[]=1&v[]=2')).to.deep.equal([1, 2])
      expect(await converted(z.array(z.int()), 'v[0]=1&v[1]=2')).to.deep.equal([1, 2])
      expect(await converted(z.array(z.string()), 'v=')).to.deep.equal([])
      expect(await converted(z.array(z.int()), 'v=1,x')).to.equal(undefined)
    })

    it('makes objects, with their properties converted', async () => {
      const size = z.object({ width: z.int(), crop: z.boolean().default(false) })
      expect(await converted(size, 'v[width]=5&v[crop]=1')).to.deep.equal({ width: 5, crop: true })
      expect(await converted(z.record(z.string(), z.int()), 'v[a]=5')).to.deep.equal({ a: 5 })
      expect(await converted(z.record(z.string(), z.int()), 'v=')).to.deep.equal({})
      expect((await post(echo(z.object({ v: z.record(z.string(), z.int()) })), { v: [] })).input.v).to.deep.equal({})
    })

    it('takes the first branch of a union that fits', async () => {
      expect(await converted(z.union([z.int(), z.string()]), 'v=7')).to.equal(7)
      expect(await converted(z.union([z.int(), z.string()]), 'v=seven')).to.equal('seven')
      expect(await converted(z.union([z.boolean(), z.array(z.int())]), 'v=1,2')).to.deep.equal([1, 2])
      const shape = z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('circle'), radius: z.int() }),
        z.object({ kind: z.literal('text'), radius: z.string() }),
      ])
      expect(await converted(shape, 'v[kind]=text&v[radius]=5')).to.deep.equal({ kind: 'text', radius: '5' })
      expect(await converted(shape, 'v[kind]=circle&v[radius]=5')).to.deep.equal({ kind: 'circle', radius: 5 })
    })

    it('is as lenient with JSON', async () => {
      const input = z.object({ n: z.int(), list: z.array(z.string()) })
      expect((await post(echo(input), { n: '5', list: 'a,b' })).input).to.deep.equal({ n: 5, list: ['a', 'b'] })
    })

    it('follows schemas that contain themselves', async () => {
      const Tree = z.object({
        size: z.int(),
        get parts() {
          return z.array(Tree).optional()
        },
      })
      const { input } = await post(echo(z.object({ tree: Tree })), { tree: { size: '1', parts: [{ size: '2' }] } })
      expect(input.tree).to.deep.equal({ size: 1, parts: [{ size: 2 }] })
    })
  })

  describe('refusals, in the words of rest_validate_value_from_schema', () => {
    const cases: [what: string, z.ZodType, value: unknown, code: string, message: string][] = [
      ['a type', z.int(), 'x', 'rest_invalid_type', 'v is not of type integer.'],
      ['a fraction', z.int(), 1.5, 'rest_invalid_type', 'v is not of type integer.'],
      ['a type or null', z.string().nullable(), 5, 'rest_invalid_type', 'v is not of type string,null.'],
      ['an item', z.array(z.int()), [1, 'x'], 'rest_invalid_type', 'v[1] is not of type integer.'],
      [
        'a property',
        z.object({ a: z.object({ b: z.int() }) }),
        { a: { b: [] } },
        'rest_invalid_type',
        'v[a][b] is not of type integer.',
      ],
      [
        'a property that is missing',
        z.object({ a: z.int() }),
        {},
        'rest_property_required',
        'a is a required property of v.',
      ],
      [
        'a property too many',
        z.strictObject({}),
        { x: 1 },
        'rest_additional_properties_forbidden',
        'x is not a valid property of Object.',
      ],
      ['one constant', z.literal('yes'), 'no', 'rest_not_in_enum', 'v is not yes.'],
      ['an enumeration', z.enum(['a', 'b', 'c']), 'd', 'rest_not_in_enum', 'v is not one of a, b, and c.'],
      ['an enumeration of another type', z.enum(['a', 'b']), 5, 'rest_invalid_type', 'v is not of type string.'],
      ['a minimum', z.int().min(3), 2, 'rest_out_of_bounds', 'v must be greater than or equal to 3'],
      ['an excluded maximum', z.number().lt(3), 3, 'rest_out_of_bounds', 'v must be less than 3'],
      [
        'a range',
        z.number().gt(0).max(1),
        0,
        'rest_out_of_bounds',
        'v must be between 0 (exclusive) and 1 (inclusive)',
      ],
      ['a huge number', z.int(), 1e30, 'rest_out_of_bounds', 'v must be less than or equal to 9007199254740991'],
      ['a multiple', z.int().multipleOf(5), 7, 'rest_invalid_multiple', 'v must be a multiple of 5.'],
      ['a short text', z.string().min(2), 'x', 'rest_too_short', 'v must be at least 2 characters long.'],
      ['a long text', z.string().max(1), 'xx', 'rest_too_long', 'v must be at most 1 character long.'],
      ['a pattern', z.string().regex(/^[a-z]+$/), '5', 'rest_invalid_pattern', 'v does not match pattern ^[a-z]+$.'],
      ['few items', z.array(z.int()).min(2), [1], 'rest_too_few_items', 'v must contain at least 2 items.'],
      ['many items', z.array(z.int()).max(1), [1, 2], 'rest_too_many_items', 'v must contain at most 1 item.'],
      ['an e-mail address', z.email(), 'x', 'rest_invalid_email', 'Invalid email address.'],
      ['a date', z.iso.datetime(), 'x', 'rest_invalid_date', 'Invalid date.'],
      ['an address', z.ipv4(), 'x', 'rest_invalid_ip', 'v is not a valid IP address.'],
      ['a UUID', z.uuid(), 'x', 'rest_invalid_uuid', 'v is not a valid UUID.'],
      ['a URL', z.url(), 'x', 'rest_invalid_url', 'v is not a valid URL.'],
      [
        'a union',
        z.union([z.object({ a: z.int() }), z.object({ b: z.int() })]),
        {},
        'rest_no_matching_schema',
        'v does not match any of the expected formats.',
      ],
      ['a refinement', z.string().refine((text) => text === 'x', 'Only x.'), 'y', 'rest_invalid_param', 'Only x.'],
    ]
    for (const [what, schema, value, code, message] of cases) {
      it(`names ${what}`, async () => {
        const found = await problem(schema, value)
        expect(found.code).to.equal(code)
        expect(found.message).to.equal(message)
      })
    }

    it('lets a refinement give its own code and status', async () => {
      const schema = z.string().refine(() => false, {
        message: 'Status is forbidden.',
        params: { code: 'rest_forbidden_status', status: 401 },
      })
      expect(await problem(schema, 'draft')).to.deep.equal({
        code: 'rest_forbidden_status',
        message: 'Status is forbidden.',
        data: { status: 401 },
      })
    })

    it('awaits refinements', async () => {
      const input = z.object({ v: z.string().refine(async (text) => text === 'x', 'Only x.') })
      const url = echo(input)
      for (const _ of [1, 2]) {
        expect((await post(url, { v: 'y' })).data.params).to.deep.equal({ v: 'Only x.' })
        expect((await post(url, { v: 'x' })).input).to.deep.equal({ v: 'x' })
      }
    })

    it('checks what the path captured too', async () => {
      const url = echo(z.object({ id: z.int().max(10) }), '/{id:\\d+}')
      const { body } = await request(site.url).get(`${url}/99999999999999999999`).expect(400)
      expect(body.data.details.id.code).to.equal('rest_out_of_bounds')
    })
  })
})
