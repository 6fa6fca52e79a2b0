import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import type { JsonValue, Post } from 'pentad'
import { createTestHost, type TestHost, type TestRequest } from 'pentad/testing'
import sharp from 'sharp'
import { temporaryFolder } from '../support/site-folder.ts'
import { type Answer, sendQuickly, slowness } from './event-loop.ts'
import { HOSTILE_TEXTS } from './hostile-texts.ts'

/** Hides nothing, but might: what is public is compared with what is shown. */
const HIDING = `import { defineExtension } from 'pentad'
export default defineExtension({
  id: 'hiding', name: 'Hiding', version: '1.0.0',
  setup({ hooks }) { hooks.addFilter('the_content', (html) => html) },
})`

/** Nothing but what a request asks for is rendered: pages that are preloaded after each change take longer than the requests. */
const QUIET = { preload: 'off' }

const SIZE = 64_000
/** As long as a text of a post may be, about: a request is 1 MB at most. */
const LARGEST = 900_000
/** What an honest book may be made of. */
const LARGE_TEXTS: Readonly<Record<string, string>> = {
  words: 'This is a sentence. ',
  lines: 'This is a line.\n',
  'bold words': '<b>x</b> ',
  paragraphs: '<p>x</p>\n',
  links: '<a href="/b">c</a> ',
  blocks: '<!-- wp:paragraph -->\n<p>x</p>\n<!-- /wp:paragraph -->\n',
  galleries: '[gallery] ',
  entities: '&amp; ',
  cells: '<td>',
  'paragraphs never closed': '<p>x',
}

describe('Hostile texts', () => {
  let site: TestHost
  before(async () => {
    for (let run = 0; run < 5; run++) slowness()
    site = await createTestHost({ services: true, config: { logLevel: 'silent' } })
    for (const role of ['author', 'administrator']) await site.get('/wp-json/wp/v2/users/me', { as: role })
    const settings = {
      ...QUIET,
      bypassPaths: ['/*/*/*/*/edit', `/${'*a'.repeat(50)}`],
      bypassCookies: [`${'*a'.repeat(50)}b`],
    }
    const answer = await site.request('/wp-json/speed/v1/settings', {
      method: 'PUT',
      as: 'administrator',
      body: { settings },
    })
    expect(answer.status).to.equal(200)
  })
  after(() => site.close())

  const ask = (path: string, request: TestRequest = {}, undo?: (answer: Answer) => Promise<unknown>) =>
    sendQuickly(`${request.method ?? 'GET'} ${path.slice(0, 60)}`, () => site.request(path, request), undo)

  const remove = (path: string) =>
    site.request(`/wp-json/wp/v2/${path}?force=true`, { method: 'DELETE', as: 'administrator' })
  const create = (path: string, as: string, body: Record<string, JsonValue>) =>
    ask(`/wp-json/wp/v2/${path}`, { method: 'POST', as, body }, async (made) => {
      if (made.status === 201) await remove(`${path}/${JSON.parse(made.body).id}`)
    })
  /** @param before what it was, so that there is something to change again */
  const update = (path: string, as: string, body: Record<string, JsonValue>, before: Record<string, JsonValue>) =>
    ask(`/wp-json/wp/v2/${path}`, { method: 'POST', as, body }, () =>
      site.request(`/wp-json/wp/v2/${path}`, { method: 'POST', as, body: before }),
    )

  describe(`of ${SIZE} characters hold nothing`, () => {
    for (const [name, make] of Object.entries(HOSTILE_TEXTS)) {
      it(name, async () => {
        const text = make(SIZE)
        const post = { title: text.slice(0, 10_000), content: text, status: 'publish' }
        const shown = ['/feed/', '/', '/llms.txt']
        for (const as of ['administrator', 'author']) {
          const saved = await create('posts', as, post)
          expect(saved.status, saved.body.slice(0, 200)).to.be.oneOf(as === 'author' ? [201, 400] : [201])
          if (saved.status !== 201) continue
          const { id, link, content } = JSON.parse(saved.body)
          // What an author may write is cleaned; where that leaves it as it is, it is shown as before.
          const isAnother = as === 'administrator' || content.raw !== text
          const paths = [new URL(link).pathname, `/wp-json/wp/v2/posts/${id}`, ...(as === 'administrator' ? shown : [])]
          for (const path of isAnother ? paths : []) expect((await ask(path)).status, path.slice(0, 60)).to.equal(200)
          await remove(`posts/${id}`)
        }
        const comment = { post: 1, content: make(60_000), date: '2020-01-01T00:00:00', author_name: make(50) }
        const commented = await create('comments', 'administrator', comment)
        expect(commented.status, commented.body.slice(0, 200)).to.be.oneOf([201, 400])
        expect((await ask('/hello-world/')).status).to.equal(200)
        if (commented.status === 201) await remove(`comments/${JSON.parse(commented.body).id}`)
        const tag = await create('tags', 'administrator', { name, description: text })
        expect(tag.status, tag.body.slice(0, 200)).to.be.oneOf([201, 400])
        if (tag.status === 201) expect((await ask(new URL(JSON.parse(tag.body).link).pathname)).status).to.equal(200)
        const short = encodeURIComponent(make(1_500).toWellFormed())
        const headers = {
          'User-Agent': short.slice(0, 4000),
          Referer: `https://x.test/${short.slice(0, 3000)}`,
          Cookie: short.slice(0, 4000),
        }
        expect((await ask('/hello-world/', { headers })).status).to.equal(200)
        for (const path of [
          `/${short.slice(0, 6000)}`,
          `/?s=${short.slice(0, 6000)}`,
          `/wp-json/wp/v2/search?search=${short.slice(0, 6000)}`,
        ]) {
          expect((await ask(path)).status).to.be.below(500)
        }
      })
    }
  })

  describe(`of ${LARGEST} characters hold nothing`, () => {
    for (const [name, unit] of Object.entries(LARGE_TEXTS)) {
      it(name, async () => {
        const content = unit.repeat(LARGEST / unit.length)
        const post = { title: name, content, status: 'publish' }
        const cleaned = await create('posts', 'author', post)
        expect(cleaned.status, cleaned.body.slice(0, 200)).to.equal(201)
        await remove(`posts/${JSON.parse(cleaned.body).id}`)
        const saved = await create('posts', 'administrator', post)
        expect(saved.status, saved.body.slice(0, 200)).to.equal(201)
        const { id, link } = JSON.parse(saved.body)
        expect((await ask(new URL(link).pathname)).status).to.equal(200)
        const updated = await update(`posts/${id}`, 'administrator', { content: `${content}x` }, { content })
        expect(updated.status, updated.body.slice(0, 200)).to.equal(200)
        await remove(`posts/${id}`)
      })
    }
  })

  describe(`of ${LARGEST} characters hold nothing as a title`, () => {
    for (const unit of ["'a' 'b' -- ", '<b>x</b> ', '&amp; ']) {
      it(unit, async () => {
        const title = unit.repeat(LARGEST / unit.length)
        const saved = await create('posts', 'administrator', { title, content: 'x', status: 'publish' })
        expect(saved.status, saved.body.slice(0, 200)).to.equal(201)
        const { id, link } = JSON.parse(saved.body)
        for (const path of [new URL(link).pathname, '/feed/', '/', '/wp-json/wp/v2/posts']) {
          expect((await ask(path)).status, path).to.equal(200)
        }
        await remove(`posts/${id}`)
      })
    }
  })

  describe(`of ${LARGEST} characters hold nothing where an extension may hide text`, () => {
    let hiding: TestHost
    before(async () => {
      const extension = join(temporaryFolder(), 'hiding.ts')
      await writeFile(extension, HIDING)
      hiding = await createTestHost({ services: true, extensions: [extension], config: { logLevel: 'silent' } })
      const settings = { method: 'PUT', as: 'administrator', body: { settings: QUIET } }
      expect((await hiding.request('/wp-json/speed/v1/settings', settings)).status).to.equal(200)
    })
    after(() => hiding.close())

    // Units at which the output differs from the text, and where it does not; test/content/hostile-texts.long.test.ts has all kinds for each step.
    for (const unit of ['"a', '[a]b']) {
      it(unit, async () => {
        const ask = (path: string, request: TestRequest = {}) =>
          sendQuickly(`${request.method ?? 'GET'} ${path}`, () => hiding.request(path, request))
        const remove = (id: number, as: string) =>
          ask(`/wp-json/wp/v2/posts/${id}?force=true`, { method: 'DELETE', as })
        const body = { title: 'x', content: unit.repeat(680_000 / unit.length), status: 'publish' }
        const saved = await ask('/wp-json/wp/v2/posts', { method: 'POST', as: 'author', body })
        expect(saved.status, saved.body.slice(0, 200)).to.equal(201)
        const { id, link } = JSON.parse(saved.body)
        for (const path of [
          new URL(link).pathname,
          '/feed/',
          '/',
          `/wp-json/wp/v2/posts/${id}`,
          '/llms.txt',
          '/?s=a',
        ]) {
          expect((await ask(path)).status, path).to.equal(200)
        }
        expect((await ask(`/wp-json/wp/v2/posts/${id}?context=edit`, { as: 'author' })).status).to.equal(200)
        expect((await remove(id, 'author')).status).to.equal(200)
      })
    }
  })

  describe('with short markup and long output block nothing', () => {
    let image: Post
    before(async () => {
      const pixels = { create: { width: 800, height: 600, channels: 3, background: 'red' } } as const
      const source = join(temporaryFolder(), 'image.jpg')
      await sharp(pixels).jpeg().toFile(source)
      image = await site.host.content.media.upload({ source, name: 'image.jpg' })
    })

    const units: Record<string, (image: Post) => string> = {
      images: ({ id, guid }) => `<img class="wp-image-${id}" src="${guid}">`,
      galleries: ({ id }) => `[gallery ids="${id},${id},1"]\n`,
      players: () => '[video src="/a.mp4"]\n',
      'image blocks': ({ id, guid }) =>
        `<!-- wp:image {"id":${id}} --><img class="wp-image-${id}" src="${guid}"><!-- /wp:image -->\n`,
      'featured images': () => '<!-- wp:post-featured-image /-->\n',
      calendars: () => '<!-- wp:calendar /-->\n',
    }
    for (const [name, unitOf] of Object.entries(units)) {
      it(name, async () => {
        const unit = unitOf(image)
        const content = unit.repeat(400_000 / unit.length)
        const post = { title: name, content, status: 'publish', featured_media: image.id }
        const saved = await create('posts', 'administrator', post)
        expect(saved.status, saved.body.slice(0, 200)).to.equal(201)
        const { id, link } = JSON.parse(saved.body)
        const shown = await ask(new URL(link).pathname)
        expect(shown.status).to.equal(200)
        if (name === 'images') expect(shown.body).to.contain('srcset')
        await remove(`posts/${id}`)
      })
    }
  })

  describe('are refused quickly beyond the limits of a route', () => {
    const large = 'x'.repeat(2_000_000)
    it('of a post', async () => {
      const { status, body } = await create('posts', 'administrator', { title: 'x', content: large })
      expect([status, JSON.parse(body).code]).to.deep.equal([413, 'rest_request_too_large'])
    })
    it('of a comment', async () => {
      const { status, body } = await create('comments', 'administrator', { post: 1, content: large.slice(0, 70_000) })
      expect([status, JSON.parse(body).code]).to.deep.equal([400, 'comment_content_column_length'])
    })
    it('of a path', async () => {
      expect((await ask(`/${'a/'.repeat(10_000)}`)).status).to.be.oneOf([414, 431])
    })
  })
})
