import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { createTestHost, type TestHost } from '../../app/testing/index.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { until } from '../support/until.ts'
import { extensionSource } from './extension-site.ts'

const POST = '/hello-world/'
const TEXT = 'to Pentad. This is your first post'

describe('a callback of an extension that fails on a page', () => {
  let site: TestHost
  let folder: string

  beforeEach(async () => {
    site = await createTestHost()
    folder = temporaryFolder()
    await activate('good', `host.hooks.addFilter('the_content', (html) => html + '<p>good was here</p>', 50)`)
  })
  afterEach(() => site.close())

  async function activate(id: string, setup: string, head = ''): Promise<void> {
    mkdirSync(join(folder, id), { recursive: true })
    writeFileSync(join(folder, id, 'index.ts'), extensionSource(id, setup, head))
    await site.host.extensions.activate(await site.host.extensions.add(join(folder, id)))
  }
  const report = (id = 'bad') => site.host.extensions.list().find((extension) => extension.id === id)
  /** The post, right for everybody else. */
  async function expectRightPage(path = POST): Promise<string> {
    const page = await site.get(path)
    const html = await page.text()
    expect(page.status).to.equal(200)
    expect(html).to.contain(TEXT)
    expect(html).to.contain('good was here')
    return html
  }
  async function limit(milliseconds: { callbackTimeLimit?: number; requestTimeLimit?: number }): Promise<void> {
    const body = { settings: milliseconds }
    const answer = await site.request('/wp-json/host/v1/settings/host', { method: 'PUT', as: 'administrator', body })
    expect(answer.status).to.equal(200)
  }

  describe('with a value of the wrong type', () => {
    for (const [value, fault] of [
      ['5', 'a number instead of string'],
      ['null', 'null instead of string'],
      ['({ html: true })', 'an object instead of string'],
    ]) {
      it(`shows the page without it and names hook, file and line: ${value}`, async () => {
        await activate('bad', `host.hooks.addFilter('the_content', async () => ${value} as never)`)
        for (let view = 1; view <= 5; view++) await expectRightPage()
        await until(() => report()?.state === 'paused')
        expect(report()?.reason).to.equal(
          `It failed 5 times within a minute, most recently in the_content: The callback index.ts:5 of the_content returned ${fault}. (bad/index.ts:5)`,
        )
        expect(report('good')?.state).to.equal('active')
      })
    }

    it('shows the title before where a synchronous filter returns a promise', async () => {
      await activate('bad', `host.hooks.addFilter('the_title', (async (title: string) => title + '?') as never)`)
      for (let view = 1; view <= 5; view++) expect(await expectRightPage()).to.contain('Hello world!')
      await until(() => report()?.state === 'paused')
      expect(report()?.reason).to.contain('of the_title returned a promise, but the filter is synchronous.')
    })
  })

  describe('that never ends', () => {
    const HANG = `host.hooks.addFilter('the_content', () => new Promise<string>(() => {}))`

    for (const path of [POST, '/', '/feed/', '/?s=welcome', '/wp-json/wp/v2/posts']) {
      it(`is skipped after its time limit: ${path}`, async () => {
        await limit({ callbackTimeLimit: 50 })
        await activate('bad', HANG)
        const answer = await site.get(path)
        expect(answer.status).to.equal(200)
        expect(await answer.text()).to.contain(TEXT)
        await until(() => site.host.hooks.inspect().length > 0)
        expect(report()?.state).to.equal('active')
      })
    }

    it('pauses its extension after five, and names it', async () => {
      await limit({ callbackTimeLimit: 50 })
      await activate('bad', HANG)
      for (let view = 1; view <= 5; view++) await expectRightPage()
      await until(() => report()?.state === 'paused')
      expect(report()?.reason).to.equal(
        'It failed 5 times within a minute, most recently in the_content: A callback of the_content took longer than 50 ms. (bad/index.ts:5)',
      )
      expect(report('good')?.state).to.equal('active')
    })

    it('is waited for by one visitor: others get the page at once, or 503 where it protects the content', async () => {
      await limit({ callbackTimeLimit: 50 })
      await activate('bad', HANG)
      await activate(
        'members',
        `host.hooks.addFilter('the_excerpt', () => new Promise<string>(() => {}), { onError: 'closed' })`,
      )
      await expectRightPage()
      expect((await site.get('/feed/')).status).to.equal(503)
      // Whoever waits from now on does so for longer than this test.
      await limit({ callbackTimeLimit: 600_000, requestTimeLimit: 600_000 })
      for (let view = 1; view <= 3; view++) await expectRightPage()
      expect((await site.get('/feed/')).status).to.equal(503)
      expect(report()?.state).to.equal('active')
      expect(report('members')?.state).to.equal('active')
    })

    it('has its signal aborted, and its late result is ignored', async () => {
      await limit({ callbackTimeLimit: 50 })
      await activate(
        'bad',
        `host.hooks.addFilter('the_content', (html) => new Promise((resolve) => {
          host.hooks.currentSignal()?.addEventListener('abort', () => resolve(html + 'too late'))
        }))`,
      )
      expect(await expectRightPage()).to.not.contain('too late')
    })

    it('counts once if the time of the request is used up: for the callback that took most of it', async () => {
      await limit({ callbackTimeLimit: 400, requestTimeLimit: 500 })
      await activate(
        'bad',
        `host.hooks.addFilter('wp_head', () => new Promise<never>(() => {}), 5)
        host.hooks.addFilter('the_content', () => new Promise<string>(() => {}), 5)`,
      )
      await activate('quick', `host.hooks.addFilter('the_content', async (html) => html, 90)`)
      await expectRightPage()
      for (let view = 1; view <= 2; view++) await site.get(POST)
      await until(() => report()?.state === 'paused')
      expect(report('quick')?.state).to.equal('active')
    })

    it('holds no request longer than until its extension is deactivated', async () => {
      await limit({ callbackTimeLimit: 600_000, requestTimeLimit: 600_000 })
      await activate('bad', HANG)
      const hanging = site.get(POST)
      await until(() => site.host.hooks.inspect().some(({ name }) => name === 'the_content'))
      await site.host.extensions.deactivate('bad')
      expect((await hanging).status).to.equal(200)
    })

    it('does not delay the deactivation of its extension after it was abandoned', async () => {
      await limit({ callbackTimeLimit: 50 })
      await activate('bad', HANG)
      await activate('promising', `host.hooks.addFilter('the_title', (() => new Promise(() => {})) as never)`)
      await expectRightPage()
      // Calls in progress get ten seconds each to end.
      const both = Promise.all(['bad', 'promising'].map((id) => site.host.extensions.deactivate(id)))
      expect(await Promise.race([both.then(() => 'deactivated'), wait(8_000, 'waits', { ref: false })])).to.equal(
        'deactivated',
      )
    })

    it('is not blamed for time in which others block the event loop', async () => {
      await limit({ callbackTimeLimit: 200 })
      await activate(
        'waits',
        `host.hooks.addFilter('the_content', async (html) => {
          for (let time = 1; time <= 3; time++) await new Promise((resolve) => host.setTimeout(() => resolve(undefined), 10))
          return html + 'waited'
        })`,
      )
      await activate(
        'blocks',
        `host.hooks.addFilter('the_content', (html) => {
          host.setTimeout(() => {
            const end = Date.now() + 400
            while (Date.now() < end);
          }, 1)
          return html
        }, 5)`,
      )
      expect(await expectRightPage()).to.contain('waited')
      expect(report('waits')?.state).to.equal('active')
    })

    it('is limited in filters of REST answers too', async () => {
      await limit({ callbackTimeLimit: 50 })
      await activate(
        'bad',
        `host.hooks.addFilter('rest_pre_dispatch', () => new Promise(() => {}))
        host.hooks.addFilter('rest_post_dispatch', () => new Promise<never>(() => {}))
        host.hooks.addFilter('rest_prepare_post', () => new Promise<never>(() => {}))`,
      )
      const answer = await site.get('/wp-json/wp/v2/posts')
      expect(answer.status).to.equal(200)
      expect(await answer.json()).to.have.length(1)
    })

    it('shows in the inspector how long it took', async () => {
      await activate(
        'slow',
        `host.hooks.addFilter('the_content', async (html) => {
        await new Promise((resolve) => host.setTimeout(() => resolve(undefined), 60))
        return html
      })`,
      )
      await expectRightPage()
      const answer = await site.get('/wp-json/host/v1/hooks', { as: 'administrator' })
      const { data } = (await answer.json()) as {
        data: { slowest: { hook: string; owner: string; callback: string; mean: number; longest: number }[] }
      }
      const [slowest] = data.slowest.filter(({ owner }) => owner === 'slow')
      expect(slowest).to.include({ hook: 'the_content', owner: 'slow', callback: 'index.ts:5' })
      expect(slowest?.longest).to.be.at.least(50)
      expect(slowest?.mean).to.be.at.least(50)
    })
  })

  describe('or a shortcode that it brings by shortcode_tags', () => {
    for (const [title, handler, fault] of [
      ['throws', `() => { throw new Error('no luck') }`, 'no luck'],
      ['rejects', `async () => { throw new Error('no luck') }`, 'no luck'],
      ['never ends', '() => new Promise<string>(() => {})', 'took longer than 50 ms'],
      ['returns no text', '() => 5 as never', 'returned a number instead of string or null'],
      ['is no function', '5 as never', 'returned an object whose "bad" is a number instead of function'],
    ] as const) {
      it(`is named where it ${title}, and other shortcodes and extensions are not`, async () => {
        await limit({ callbackTimeLimit: 50 })
        const { posts } = site.host.content
        const post = (await posts.query({ slugs: ['hello-world'] })).items[0]
        await posts.update(post?.id ?? 0, { content: `${post?.content} [bad] [fine]` })
        await activate(
          'fine',
          `host.hooks.addFilter('shortcode_tags', (tags) => ({ ...tags, fine: () => 'it is fine' }), 5)`,
        )
        await activate('bad', `host.hooks.addFilter('shortcode_tags', (tags) => ({ ...tags, bad: ${handler} }), 9)`)
        await activate('late', `host.hooks.addFilter('shortcode_tags', (tags) => ({ ...tags }), 20)`)
        for (let view = 1; view <= 5 && report()?.state === 'active'; view++) {
          expect(await expectRightPage()).to.contain('[bad] it is fine')
        }
        await until(() => report()?.state === 'paused')
        expect(report()?.reason).to.contain(fault)
        expect(report()?.reason).to.contain('(bad/index.ts:5)')
        expect(report('fine')?.state).to.equal('active')
        expect(report('late')?.state).to.equal('active')
      })
    }
  })

  describe('that dispatches its own hook without an end', () => {
    for (const [title, body] of [
      [
        'the content of the post within itself',
        `host.hooks.addFilter('the_content', async (html, post) => html + (await host.content.renderContent(post)))`,
      ],
      [
        'many times over',
        `host.hooks.addFilter('the_content', async (html, post) =>
        (await Promise.all([1, 2, 3].map(() => host.content.renderContent(post)))).join(html))`,
      ],
      [
        'and catches the error',
        `host.hooks.addFilter('the_content', async (html, post) => {
        for (let time = 1; time <= 3; time++) await host.content.renderContent(post).catch(() => '')
        throw new Error('no luck')
      })`,
      ],
      [
        'through a REST request',
        `const identity = { user: null, via: 'nobody', session: null, applicationPassword: null, freshNonce: null }
      host.hooks.addFilter('rest_pre_dispatch', async (result) => {
        await host.rest.dispatch({ method: 'GET', route: '/wp/v2/types', identity })
        return result
      })
      host.hooks.addFilter('the_content', async (html) => {
        await host.rest.dispatch({ method: 'GET', route: '/wp/v2/types', identity })
        return html
      })`,
      ],
      [
        'through mail',
        `host.hooks.addFilter('wp_mail', async (message) => {
        await host.mail.send(message)
        return message
      })
      host.hooks.addFilter('the_content', async (html) => {
        await host.mail.send({ to: 'somebody@example.org', subject: 'Hello', text: 'Hello' })
        return html
      })`,
      ],
      [
        'through options',
        `let count = 0
      host.hooks.addAction('updated_option', async (name) => {
        if (name === 'bad_count') await host.options.update('bad_count', ++count)
      })
      host.hooks.addFilter('the_content', async (html) => {
        await host.options.update('bad_count', ++count)
        return html
      })`,
      ],
      [
        'without waiting for it',
        `host.hooks.addAction('bad_loop', async () => { void host.hooks.doActionAsync('bad_loop') })
      host.hooks.addFilter('the_content', (html) => {
        void host.hooks.doActionAsync('bad_loop')
        return html
      })`,
      ],
      [
        'without waiting for it, through another hook and twice each time',
        `host.hooks.addAction('bad_loop', () => {
        void host.hooks.doActionAsync('bad_other')
        void host.hooks.doActionAsync('bad_other')
      })
      host.hooks.addAction('bad_other', async () => { void host.hooks.doActionAsync('bad_loop') })
      host.hooks.addFilter('the_content', (html) => {
        void host.hooks.doActionAsync('bad_loop')
        return html
      })`,
      ],
      [
        'synchronously',
        `host.hooks.addFilter('the_title', (title, id) => host.hooks.applyFilters('the_title', title, id))`,
      ],
      [
        'synchronously, twice each time',
        `host.hooks.addFilter('the_title', (title, id) =>
        host.hooks.applyFilters('the_title', title, id) + host.hooks.applyFilters('the_title', title, id))`,
      ],
      [
        'synchronously, through another hook',
        `host.hooks.addFilter('the_title', (title) => host.hooks.applyFilters('excerpt_more', title))
        host.hooks.addFilter('excerpt_more', (more) => host.hooks.applyFilters('the_title', more, 1))`,
      ],
    ] as const) {
      it(`is stopped, named with the chain and paused at once: ${title}`, async () => {
        await activate('bad', body)
        await expectRightPage()
        await until(() => report()?.state === 'paused')
        expect(report()?.reason).to.match(/^Hooks call each other infinitely: \w+ → \w+ → /)
        expect(report('good')?.state).to.equal('active')
        await expectRightPage()
      })
    }

    it('leaves the chain of other requests alone, and dispatches that are merely nested', async () => {
      await activate(
        'deep',
        `host.hooks.addFilter('the_content', async (html, post) =>
          html.length < 20_000 && html.split('nested').length < 10 ? host.hooks.applyFiltersAsync('the_content', html + 'nested', post) : html)`,
      )
      await expectRightPage()
      expect(report('deep')?.state).to.equal('active')
    })
  })
})
