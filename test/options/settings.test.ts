import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { z } from 'zod'
import { RestError } from '../../core/errors.ts'
import type { Settings } from '../../core/options/types.ts'
import { openParts, rejection } from './parts.ts'

const schema = z.object({
  compression: z.enum(['gzip', 'zstd']).default('gzip').meta({ title: 'Compression', group: 'archive' }),
  keep: z.int().min(1).max(10).default(5).meta({ title: 'Keep', description: 'How many are kept.' }),
  /** Converts what it gets: a number is kept as text. */
  port: z.union([z.string(), z.int()]).transform(String).default('22'),
  patterns: z.array(z.string()).default([]),
  password: z.string().default('').meta({ title: 'Password', secret: true }),
  token: z.object({ access: z.string() }).nullable().default(null).meta({ secret: true }),
})
const defaults = { compression: 'gzip', keep: 5, port: '22', patterns: [], password: '', token: null }

describe('settings', () => {
  let parts: Awaited<ReturnType<typeof openParts>>
  beforeEach(async () => {
    parts = await openParts()
  })
  afterEach(() => parts.close())

  const declare = () => parts.settings.register('backup', schema).settings
  const file = () => readFileSync(join(parts.siteDir, 'options.json'), 'utf8')
  const refusal = async (
    changes: Readonly<Record<string, unknown>>,
    settings: Pick<Settings, 'update'> = declare(),
  ) => {
    const error = await rejection(settings.update(changes))
    if (!(error instanceof RestError)) throw error
    return { code: error.code, message: error.message, ...error.data }
  }

  describe('register', () => {
    it('refuses a name that is taken, until the one who took it gives it back', () => {
      const { undo } = parts.settings.register('backup', schema)
      expect(() => parts.settings.register('backup', schema)).to.throw('already declared')
      undo()
      undo()
      expect(parts.settings.names()).to.deep.equal([])
      declare()
    })

    it('lets the same owner declare a newer version while the old one is registered', () => {
      const old = parts.settings.register('hello', z.object({}), 'hello')
      const { settings, undo } = parts.settings.register('hello', z.object({}), 'hello')
      expect(parts.settings.get('hello')).to.equal(settings)
      expect(() => parts.settings.register('hello', z.object({}), 'stranger')).to.throw('already declared')
      undo()
      expect(parts.settings.get('hello')).to.equal(old.settings)
    })

    it('refuses a key without a default, and a secret that is only a part of a key', () => {
      expect(() => parts.settings.register('a', z.object({ must: z.string() }))).to.throw('must')
      const nested = z.object({ s3: z.object({ key: z.string().meta({ secret: true }) }).default({ key: '' }) })
      expect(() => parts.settings.register('b', nested)).to.throw('Only a whole key can be secret')
      expect(parts.settings.names()).to.deep.equal([])
    })
  })

  describe('update', () => {
    it('merges the supplied keys over the stored ones and says which', async () => {
      const settings = declare()
      expect(settings.get()).to.deep.equal(defaults)
      expect(await settings.update({ keep: 3 })).to.deep.equal({ updated: ['keep'], unknown: [] })
      expect(await settings.update({ patterns: ['*.log'], port: 2222 })).to.deep.equal({
        updated: ['patterns', 'port'],
        unknown: [],
      })
      expect(settings.get()).to.deep.equal({ ...defaults, keep: 3, patterns: ['*.log'], port: '2222' })
      expect(settings.get().patterns).to.be.frozen
      expect(JSON.parse(file()).backup_settings).to.deep.equal({ keep: 3, patterns: ['*.log'], port: '2222' })
    })

    it('checks keys and values by the types of the schema, too', async () => {
      const settings = declare()
      // @ts-expect-error: the schema wants a number
      const update = () => settings.update({ keep: 'many' })
      expect(await rejection(update())).to.include({ code: 'rest_invalid_param' })
      // @ts-expect-error: the schema has no such key
      expect(await settings.update({ keeep: 3 })).to.deep.include({ unknown: ['keeep'] })
      const changes = { keep: 3, kep: 4 }
      // @ts-expect-error: nor in a variable
      expect(await settings.update(changes)).to.deep.include({ unknown: ['kep'] })
    })

    it('keeps unknown keys and names them', async () => {
      const settings = declare()
      const changes: Record<string, number> = { keep: 4, kepp: 3 }
      expect(await settings.update(changes)).to.deep.equal({
        updated: ['keep'],
        unknown: ['kepp'],
      })
      expect(settings.get()).to.deep.equal({ ...defaults, keep: 4, kepp: 3 })
    })

    it('refuses the whole update in the words of WordPress if one key is wrong', async () => {
      const settings = declare()
      expect(await refusal({ patterns: ['a'], keep: 99, compression: 'rar' }, settings)).to.deep.equal({
        code: 'rest_invalid_param',
        message: 'Invalid parameter(s): keep, compression',
        status: 400,
        params: {
          keep: 'keep must be between 1 (inclusive) and 10 (inclusive)',
          compression: 'compression is not one of gzip and zstd.',
        },
        details: {
          keep: {
            code: 'rest_out_of_bounds',
            message: 'keep must be between 1 (inclusive) and 10 (inclusive)',
            data: null,
          },
          compression: { code: 'rest_not_in_enum', message: 'compression is not one of gzip and zstd.', data: null },
        },
      })
      expect(settings.get()).to.deep.equal(defaults)
    })

    it('names the place within a key', async () => {
      expect(await refusal({ patterns: ['a', 1] })).to.have.deep.property('params', {
        patterns: 'patterns[1] is not of type string.',
      })
    })

    it('refuses keys that reach a prototype, at any depth', async () => {
      const settings = declare()
      for (const text of ['{"__proto__":{"a":1}}', '{"other":{"constructor":1}}', '{"a":[{"prototype":1}]}']) {
        expect(await refusal(JSON.parse(text), settings)).to.include({ code: 'rest_invalid_param', status: 400 })
      }
      expect(parts.options.names()).to.deep.equal([])
    })

    it('refuses a record of more than 64 KiB', async () => {
      const settings: Settings = declare()
      await settings.update({ first: 'x'.repeat(40_000) })
      expect(await refusal({ second: 'x'.repeat(40_000) }, settings)).to.include({ code: 'rest_invalid_param' })
      expect(settings.get()).not.to.have.property('second')
    })

    it('holds rules across keys against the merged record', async () => {
      const range = z
        .object({ from: z.int().default(1), to: z.int().default(9) })
        .refine(({ from, to }) => from < to, { message: 'from must be less than to.', path: ['from'] })
      const { settings } = parts.settings.register('range', range)
      await settings.update({ to: 5 })
      expect(await refusal({ from: 6 }, settings)).to.have.deep.property('params', {
        from: 'from must be less than to.',
      })
      await settings.update({ from: 4 })
      expect(settings.get()).to.deep.equal({ from: 4, to: 5 })
    })

    it('loses none of many updates at once', async () => {
      const settings = declare()
      await Promise.all(Array.from({ length: 100 }, (_, index) => settings.update({ [`key${index}`]: index })))
      expect(Object.keys(JSON.parse(file()).backup_settings)).to.have.length(100)
    })
  })

  describe('hooks', () => {
    it('fires before with changes and current, after with merged and previous', async () => {
      const settings = declare()
      const seen: unknown[] = []
      parts.hooks.addAction('backup_settings_update:before', (...args) => {
        seen.push(args, settings.get().keep)
      })
      parts.hooks.addAction('backup_settings_update:after', (...args) => {
        seen.push(args, settings.get().keep)
      })
      await settings.update({ keep: 7 })
      expect(seen).to.deep.equal([[{ keep: 7 }, defaults], 5, [{ ...defaults, keep: 7 }, defaults], 7])
    })

    it('writes nothing when a before callback refuses', async () => {
      const settings = declare()
      parts.hooks.addAction('backup_settings_update:before', () => {
        throw new RestError('not_now', 'Not now.', { status: 409 })
      })
      expect(await refusal({ keep: 7 }, settings)).to.include({ code: 'not_now', status: 409 })
      expect(settings.get().keep).to.equal(5)
    })

    it('does not ask before for an update that is not valid', async () => {
      let asked = 0
      parts.hooks.addAction('backup_settings_update:before', () => void asked++)
      await refusal({ keep: 'many' })
      expect(asked).to.equal(0)
    })

    it('stays stored though an after callback fails', async () => {
      const settings = declare()
      parts.hooks.addAction('backup_settings_update:after', () => {
        throw new RestError('too_late', 'Too late.', { status: 400 })
      })
      expect(await settings.update({ keep: 7 })).to.deep.equal({ updated: ['keep'], unknown: [] })
    })
  })

  describe('secrets', () => {
    const secrets = { password: 'correct horse', token: { access: 'battery staple' } }

    it('are encrypted at rest, readable by code, masked for admin pages and callbacks, and never logged', async () => {
      const settings = declare()
      const seen: unknown[] = []
      const everything: string = 'all'
      parts.hooks.addAction(everything, (...args) => void seen.push(args))
      await settings.update(secrets)
      expect(settings.get()).to.deep.include(secrets)
      expect(settings.masked()).to.deep.equal({ ...defaults, password: '********', token: '********' })
      const leaks = [file(), JSON.stringify(seen), parts.logged.join(''), JSON.stringify(settings.jsonSchema())]
      for (const text of leaks) expect(text).not.to.match(/horse|staple/)
      expect(JSON.stringify(seen)).to.include('********').and.include('pre_update_option')
    })

    it('are masked in refusals', async () => {
      expect(JSON.stringify(await refusal({ password: ['correct horse'] }))).not.to.include('horse')
    })

    it('stay as they are when their mask is sent back', async () => {
      const settings = declare()
      await settings.update(secrets)
      expect(await settings.update({ ...settings.masked(), keep: 2 })).to.deep.equal({
        updated: ['compression', 'keep', 'port', 'patterns'],
        unknown: [],
      })
      expect(settings.get()).to.deep.include({ ...secrets, keep: 2 })
    })

    it('can be replaced and emptied; an empty one shows as empty', async () => {
      const settings = declare()
      await settings.update(secrets)
      await settings.update({ password: 'new' })
      expect(settings.get().password).to.equal('new')
      await settings.update({ password: '', token: null })
      expect(settings.masked()).to.deep.equal(defaults)
    })

    it('open after a restart', async () => {
      await declare().update(secrets)
      await parts.close()
      parts = await openParts(parts.siteDir)
      expect(declare().get()).to.deep.include(secrets)
    })

    it('are given up, with a warning, when they were moved to another key or the site key is another one', async () => {
      await declare().update(secrets)
      await parts.close()
      const path = join(parts.siteDir, 'options.json')
      const stored = JSON.parse(file())
      stored.backup_settings.password = stored.backup_settings.token
      writeFileSync(path, JSON.stringify(stored))
      parts = await openParts(parts.siteDir)
      expect(declare().get()).to.deep.include({ password: '', token: secrets.token })
      await parts.close()
      writeFileSync(join(parts.siteDir, 'secret.key'), Buffer.alloc(32, 7).toString('base64url'))
      parts = await openParts(parts.siteDir)
      expect(declare().get()).to.deep.equal(defaults)
      expect(parts.logged.join('')).to.include('cannot be decrypted')
    })

    it('are encrypted when the key they were stored under is marked secret, and callbacks do not see them', async () => {
      await parts.options.update('backup_settings', { keep: 3, password: 'plain' })
      const seen: unknown[] = []
      const everything: string = 'all'
      parts.hooks.addAction(everything, (...args) => void seen.push(args))
      const settings = declare()
      expect(settings.masked().password).to.equal('********')
      await parts.close()
      expect(file()).to.include('"keep":').and.not.include('plain')
      expect(JSON.stringify(seen)).to.include('updated_option').and.not.include('plain')
      parts = await openParts(parts.siteDir)
      expect(declare().get()).to.deep.include({ keep: 3, password: 'plain' })
    })

    it('are encrypted by an update of another key if they were stored unencrypted', async () => {
      const settings = declare()
      await parts.options.update('backup_settings', { password: 'plain' })
      const seen: unknown[] = []
      const everything: string = 'all'
      parts.hooks.addAction(everything, (...args) => void seen.push(args))
      await settings.update({ keep: 3 })
      expect(file()).not.to.include('plain')
      expect(JSON.stringify(seen)).to.include('updated_option').and.not.include('plain')
      expect(settings.get()).to.deep.include({ keep: 3, password: 'plain' })
    })

    it('are not written again where all of them are encrypted', async () => {
      await declare().update(secrets)
      await parts.close()
      const before = file()
      parts = await openParts(parts.siteDir)
      declare()
      await parts.close()
      expect(file()).to.equal(before)
    })
  })

  describe('secrets that are bound to an address', () => {
    const bound = z.object({
      url: z.string().default('').meta({ title: 'Address' }),
      user: z.string().default(''),
      password: z
        .string()
        .default('')
        .meta({ secret: true, boundTo: ['url', 'user'] }),
      nodes: z.array(z.string()).default([]),
      purgeKey: z
        .string()
        .default('')
        .meta({ secret: true, boundTo: ['nodes'] }),
      endpoint: z.string().default('').meta({ emptyAddress: 'https://api.example.org' }),
      token: z
        .string()
        .default('')
        .meta({ secret: true, boundTo: ['endpoint'] }),
      free: z.string().default('').meta({ secret: true }),
    })
    const stored = {
      url: 'https://nas.example.org/backups',
      user: 'anna',
      password: 'correct horse',
      nodes: ['http://10.0.0.1:6081', 'http://10.0.0.2:6081'],
      purgeKey: 'battery',
      token: 'staple',
      free: 'bird',
    }
    const open = async () => {
      const { settings } = parts.settings.register('bound', bound)
      await settings.update(stored)
      return settings
    }

    it('are refused, by name, when their address changes and they were not entered again', async () => {
      const settings = await open()
      for (const [key, changes] of [
        ['password', { url: 'https://evil.example/backups' }],
        ['password', { url: 'http://nas.example.org/backups' }],
        ['password', { url: 'https://nas.example.org:8443/backups' }],
        ['password', { url: 'https://nas.example.org@evil.example/' }],
        ['password', { user: 'mallory' }],
        ['password', { ...settings.masked(), url: 'https://evil.example/backups' }],
        ['purgeKey', { nodes: [...stored.nodes, 'http://evil.example'] }],
        ['token', { endpoint: 'https://evil.example' }],
      ] as const) {
        const { code, params }: { code: string; params?: unknown } = await refusal(changes, settings)
        expect(code, JSON.stringify(changes)).to.equal('rest_invalid_param')
        expect(params).to.have.all.keys(key)
        expect(JSON.stringify(params)).to.include('Enter the secret again').and.not.include('horse')
      }
      expect(settings.get()).to.deep.include(stored)
    })

    it('stay while the server stays the same, and while others change', async () => {
      const settings = await open()
      const changes = {
        url: 'https://NAS.example.org:443/other/folder',
        nodes: ['http://10.0.0.2:6081/'],
        endpoint: 'https://api.example.org/v2',
        free: 'fish',
      }
      await settings.update(changes)
      expect(settings.get()).to.deep.include({ ...stored, ...changes })
    })

    it('go to another address when they are entered again, or with another one', async () => {
      const settings = await open()
      await settings.update({ url: 'https://other.example', password: 'new' })
      expect(settings.get()).to.include({ url: 'https://other.example', password: 'new' })
      await settings.update({ url: 'https://third.example', password: '' })
      expect(settings.get().password).to.equal('')
    })

    it('are removed with their address, so that none goes to the next one', async () => {
      const settings = await open()
      await settings.update({ url: '', nodes: [] })
      expect(settings.get()).to.include({ password: '', purgeKey: '', token: 'staple' })
      await settings.update({ url: 'https://evil.example', nodes: ['http://evil.example'] })
      expect(settings.get()).to.include({ password: '', purgeKey: '' })
    })

    it('may be entered before their address', async () => {
      const { settings } = parts.settings.register('bound', bound)
      await settings.update({ password: 'correct horse' })
      await settings.update({ url: stored.url, user: stored.user })
      expect(settings.get().password).to.equal('correct horse')
    })

    it('are refused also where the address and another setting change at the same moment', async () => {
      const settings = await open()
      await settings.update({ url: '', password: '' })
      const outcomes = await Promise.allSettled([
        settings.update({ url: 'https://nas.example.org', password: 'correct horse' }),
        settings.update({ url: 'https://evil.example' }),
      ])
      expect(outcomes.map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected'])
      expect(settings.get()).to.include({ url: 'https://nas.example.org', password: 'correct horse' })
    })

    it('are an error of the author if the bound setting does not exist', () => {
      const schemas = [
        z.object({
          password: z
            .string()
            .default('')
            .meta({ secret: true, boundTo: ['uri'] }),
        }),
        z.object({
          url: z.string().default(''),
          open: z
            .string()
            .default('')
            .meta({ boundTo: ['url'] }),
        }),
        z.object({
          one: z
            .string()
            .default('')
            .meta({ secret: true, boundTo: ['two'] }),
          two: z.string().default('').meta({ secret: true }),
        }),
      ]
      for (const one of schemas) expect(() => parts.settings.register('wrong', one)).to.throw('The settings of wrong')
    })
  })

  describe('a stored record of another version', () => {
    it('gives its default for what no longer fits, keeps the rest and warns', async () => {
      await parts.options.update('backup_settings', { compression: 'lzma', keep: 3 })
      const settings = declare()
      expect(settings.get()).to.deep.equal({ ...defaults, keep: 3 })
      expect(parts.logged.join('')).to.include('compression').and.not.include('lzma')
      await settings.update({ keep: 4 })
      expect(settings.get()).to.deep.equal({ ...defaults, keep: 4 })
    })

    it('is no obstacle if it is no object at all', async () => {
      await parts.options.update('backup_settings', 'nonsense')
      const settings = declare()
      expect(settings.get()).to.deep.equal(defaults)
      await settings.update({ keep: 4 })
      expect(settings.get().keep).to.equal(4)
    })
  })

  describe('jsonSchema', () => {
    it('has titles, descriptions, groups, defaults and secrecy, and no stored value', async () => {
      const settings = declare()
      const changes: Record<string, string | number> = { keep: 7, password: 'x', extra: 1 }
      await settings.update(changes)
      expect(settings.jsonSchema()).to.deep.include({
        type: 'object',
        properties: {
          compression: {
            type: 'string',
            enum: ['gzip', 'zstd'],
            default: 'gzip',
            title: 'Compression',
            group: 'archive',
          },
          keep: {
            type: 'integer',
            minimum: 1,
            maximum: 10,
            default: 5,
            title: 'Keep',
            description: 'How many are kept.',
          },
          port: { type: ['string', 'integer'], default: '22' },
          patterns: { type: 'array', items: { type: 'string' }, default: [] },
          password: { type: 'string', title: 'Password', secret: true },
          token: {
            anyOf: [
              { type: 'object', properties: { access: { type: 'string' } }, required: ['access'] },
              { type: 'null' },
            ],
            secret: true,
          },
        },
      })
    })

    it('does not show the default of a secret', () => {
      const { settings } = parts.settings.register(
        'a',
        z.object({ key: z.string().default('built in').meta({ secret: true }) }),
      )
      expect(JSON.stringify(settings.jsonSchema())).not.to.include('built in')
      expect(settings.masked()).to.deep.equal({ key: '********' })
    })
  })
})
