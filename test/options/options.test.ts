import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { RestError } from '../../core/errors.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { openParts, rejection } from './parts.ts'

describe('createOptions', () => {
  let parts: Awaited<ReturnType<typeof openParts>>
  beforeEach(async () => {
    parts = await openParts()
  })
  afterEach(() => parts.close())

  const file = () => join(parts.siteDir, 'options.json')
  const stored = () => JSON.parse(readFileSync(file(), 'utf8'))

  describe('get and names', () => {
    it('answers undefined for what is not stored, names of Object.prototype included', () => {
      expect(parts.options.get('nothing')).to.equal(undefined)
      expect(parts.options.get('toString')).to.equal(undefined)
      expect(parts.options.get('__proto__')).to.equal(undefined)
    })

    it('answers deeply frozen values', async () => {
      await parts.options.update('deep', { list: [{ a: 1 }] })
      const value = parts.options.get('deep')
      expect(value).to.be.frozen
      expect(Object.values(value ?? {})[0]).to.be.frozen
      expect(Object.values(value ?? {})[0][0]).to.be.frozen
    })

    it('keeps a copy: what the caller does to its object later changes nothing', async () => {
      const mine = { list: [1] }
      await parts.options.update('copied', mine)
      mine.list.push(2)
      expect(parts.options.get('copied')).to.deep.equal({ list: [1] })
    })

    it('sorts the names', async () => {
      await parts.options.update('b', 1)
      await parts.options.update('a', 1)
      expect(parts.options.names()).to.deep.equal(['a', 'b'])
    })
  })

  describe('update, modify and delete', () => {
    it('has written the file, readable by its owner only, when it resolves', async () => {
      await parts.options.update('blogname', 'Pentad')
      expect(stored()).to.deep.equal({ blogname: 'Pentad' })
      expect(statSync(file()).mode & 0o777).to.equal(0o600)
    })

    it('lets all modifies of one record take effect, though a filter takes its time', async () => {
      parts.hooks.addFilter('pre_update_option', async (value) => {
        await sleep(Math.random() * 2)
        return value
      })
      const add = (current: unknown) => (typeof current === 'number' ? current : 0) + 1
      await Promise.all(Array.from({ length: 50 }, () => parts.options.modify('count', add)))
      expect(stored()).to.deep.equal({ count: 50 })
    })

    it('shares one write among updates that arrive while another is under way', async () => {
      await parts.options.update('first', 0)
      const inodes = new Set<number>()
      parts.hooks.addAction('updated_option', () => void inodes.add(statSync(file()).ino))
      await Promise.all(Array.from({ length: 100 }, (_, index) => parts.options.update(`name${index}`, index)))
      expect(parts.options.names()).to.have.length(101)
      expect(inodes.size).to.be.lessThan(10)
    })

    it('refuses only the modify that throws', async () => {
      const failing = rejection(
        parts.options.modify('x', () => {
          throw new RestError('no', 'No.', { status: 409 })
        }),
      )
      await parts.options.modify('x', () => 'yes')
      expect(await failing).to.have.property('code', 'no')
      expect(parts.options.get('x')).to.equal('yes')
    })

    it('deletes', async () => {
      await parts.options.update('gone', 1)
      await parts.options.delete('gone')
      expect(parts.options.get('gone')).to.equal(undefined)
      expect(stored()).to.deep.equal({})
    })

    it('survives a restart', async () => {
      await parts.options.update('kept', { a: [null, true, 'x', -0] })
      await parts.close()
      parts = await openParts(parts.siteDir)
      expect(parts.options.get('kept')).to.deep.equal({ a: [null, true, 'x', 0] })
    })

    const cycle: unknown[] = []
    cycle.push(cycle)
    let deep: unknown = 1
    for (let level = 0; level < 100_000; level++) deep = [deep]
    const refused: [string, unknown][] = [
      ['undefined', undefined],
      ['undefined in an object', { a: undefined }],
      ['a hole in a list', Array(2)],
      ['a function', () => 1],
      ['NaN', { a: [Number.NaN] }],
      ['a date', new Date()],
      ['a bigint', 1n],
      ['a cycle', cycle],
      ['a hundred thousand levels', deep],
      ['__proto__', JSON.parse('{"a":[{"__proto__":{"admin":true}}]}')],
      ['constructor', { a: { constructor: 1 } }],
      ['prototype', { prototype: 1 }],
    ]
    for (const [what, value] of refused) {
      it(`refuses ${what}`, async () => {
        // Calls in JavaScript are not held back by the types.
        const error = await rejection(Reflect.apply(parts.options.update, undefined, ['bad', value]))
        expect(error).to.be.instanceOf(RestError).with.property('code', 'rest_invalid_param')
        expect(error).to.have.property('status', 400)
        expect(parts.options.names()).to.deep.equal([])
      })
    }

    for (const name of ['__proto__', 'constructor', '', 'x'.repeat(192)]) {
      it(`refuses the name ${JSON.stringify(name.slice(0, 20))}`, async () => {
        expect(await rejection(parts.options.update(name, 1))).to.have.property('code', 'rest_invalid_param')
      })
    }
  })

  describe('hooks', () => {
    it('stores the result of pre_update_option, and passes old and new value to updated_option', async () => {
      const seen: unknown[] = []
      await parts.options.update('n', 1)
      parts.hooks.addFilter('pre_update_option', (value, name, oldValue) => {
        seen.push(['pre', value, name, oldValue])
        return typeof value === 'number' ? value * 10 : value
      })
      parts.hooks.addAction(
        'updated_option',
        (name, oldValue, value) => void seen.push(['updated', name, oldValue, value]),
      )
      await parts.options.update('n', 2)
      await parts.options.delete('n')
      expect(seen).to.deep.equal([
        ['pre', 2, 'n', 1],
        ['updated', 'n', 1, 20],
        ['updated', 'n', 20, undefined],
      ])
    })

    it('does not fire updated_option where nothing changed', async () => {
      await parts.options.update('same', { a: [1] })
      let fired = 0
      parts.hooks.addAction('updated_option', () => void fired++)
      await parts.options.update('same', { a: [1] })
      await parts.options.delete('never there')
      expect(fired).to.equal(0)
    })

    it('stores nothing when pre_update_option refuses', async () => {
      parts.hooks.addFilter('pre_update_option', () => {
        throw new RestError('frozen_site', 'The site is frozen.', { status: 409 })
      })
      expect(await rejection(parts.options.update('a', 1))).to.have.property('code', 'frozen_site')
      expect(parts.options.names()).to.deep.equal([])
    })

    it('resolves though a callback of updated_option fails, as the value is stored', async () => {
      parts.hooks.addAction('updated_option', () => {
        throw new Error('callback broke')
      })
      await parts.options.update('a', 1)
      expect(stored()).to.deep.equal({ a: 1 })
      expect(parts.logged.join('')).to.include('callback broke')
    })

    it('lets callbacks of pre_update_option store other records, even crosswise at once', async () => {
      parts.hooks.addFilter('pre_update_option', async (value, name) => {
        if (name === 'a' && value === 'outer') await parts.options.update('b', 'inner')
        if (name === 'b' && value === 'outer') await parts.options.update('a', 'inner')
        return value
      })
      await Promise.all([parts.options.update('a', 'outer'), parts.options.update('b', 'outer')])
      expect(parts.options.names()).to.deep.equal(['a', 'b'])
    })

    it('refuses a callback that stores the record it was asked about', async () => {
      parts.hooks.addFilter('pre_update_option', async (value) => {
        await parts.options.update('a', 'again')
        return value
      })
      expect(await rejection(parts.options.update('a', 'x')))
        .to.have.property('message')
        .that.includes('must return')
    })
  })

  describe('the file', () => {
    it('is not replaced when it is damaged: the error names it and says what to do', async () => {
      for (const damaged of ['', '{"a":', '[1]', '{"a":{"__proto__":1}}']) {
        const siteDir = temporaryFolder()
        const path = join(siteDir, 'options.json')
        writeFileSync(path, damaged)
        const error = await rejection(openParts(siteDir))
        expect(error).to.have.property('message').that.includes(path).and.includes('backup')
        expect(readFileSync(path, 'utf8')).to.equal(damaged)
      }
    })

    it('is not replaced when it is damaged by hand later on', async () => {
      await parts.options.update('a', 1)
      writeFileSync(file(), '{"a": 1, "b"')
      expect(await rejection(parts.options.update('c', 3)))
        .to.have.property('message')
        .that.includes(file())
      expect(readFileSync(file(), 'utf8')).to.equal('{"a": 1, "b"')
      expect(parts.options.get('a')).to.equal(1)
      writeFileSync(file(), '{"a": 1, "b": 2}')
      await parts.options.update('c', 3)
      expect(stored()).to.deep.equal({ a: 1, b: 2, c: 3 })
    })

    it('is not harmed by a half-written temporary file, which goes at the next start', async () => {
      await parts.options.update('a', 1)
      await parts.close()
      writeFileSync(`${file()}.0123456789abcdef.tmp`, '{"a": 2, "b')
      parts = await openParts(parts.siteDir)
      expect(parts.options.get('a')).to.equal(1)
      expect(readdirSync(parts.siteDir).filter((name) => name.includes('tmp'))).to.deep.equal([])
    })

    it('is written despite the lock of a process that no longer runs', async () => {
      writeFileSync(`${file()}.lock`, `${hostname()} 4194999 killed`)
      await parts.options.update('a', 1)
      expect(stored()).to.deep.equal({ a: 1 })
      expect(readdirSync(parts.siteDir)).to.have.members(['options.json', 'secret.key'])
    })

    it('fires updated_option for changes of another process, and preserves them when writing', async () => {
      await parts.options.update('mine', 1)
      const heard = new Promise<unknown[]>((resolve) => {
        parts.hooks.addAction('updated_option', (...args) => resolve(args))
      })
      const other = await openParts(parts.siteDir)
      await other.options.update('theirs', { on: true })
      await other.close()
      expect(await heard).to.deep.equal(['theirs', undefined, { on: true }, true])
      expect(parts.options.get('theirs')).to.deep.equal({ on: true })
      await parts.options.update('mine', 2)
      expect(stored()).to.deep.equal({ mine: 2, theirs: { on: true } })
    })

    it('refuses writes after close', async () => {
      await parts.close()
      expect(await rejection(parts.options.update('late', 1)))
        .to.have.property('message')
        .that.includes('closed')
    })
  })
})
