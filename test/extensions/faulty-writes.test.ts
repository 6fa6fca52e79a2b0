import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { createTestHost, type TestHost } from '../../app/testing/index.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { until } from '../support/until.ts'
import { extensionSource } from './extension-site.ts'

interface Save {
  readonly path: string
  readonly body: (time: number) => Record<string, unknown>
  /** What of the answer shows that what was sent is what is stored. */
  readonly stored: (answer: Record<string, unknown>) => unknown
  readonly sent: (time: number) => unknown
}

const raw = (field: string) => (answer: Record<string, unknown>) => Reflect.get(Object(answer[field]), 'raw')
const title = { body: (time: number) => ({ title: `Saved ${time}`, content: 'x' }), stored: raw('title') }
const sentTitle = (time: number) => `Saved ${time}`

const POST: Save = { path: '/wp-json/wp/v2/posts', ...title, sent: sentTitle }
const CHANGE: Save = { path: '/wp-json/wp/v2/posts/1', ...title, sent: sentTitle }
const PAGE: Save = { path: '/wp-json/wp/v2/pages', ...title, sent: sentTitle }
const text = (time: number) => `Comment number ${time}`
const COMMENT: Save = {
  path: '/wp-json/wp/v2/comments',
  body: (time) => ({ post: 1, content: text(time) }),
  stored: raw('content'),
  sent: text,
}
let terms = 0
const TAG: Save = {
  path: '/wp-json/wp/v2/tags',
  body: () => ({ name: `Tag ${++terms}` }),
  stored: ({ name }) => name,
  sent: () => `Tag ${terms}`,
}
const USER: Save = {
  path: '/wp-json/wp/v2/users/me',
  body: (time) => ({ description: `About ${time}` }),
  stored: ({ description }) => description,
  sent: (time) => `About ${time}`,
}

describe('a filter callback that breaks what is about to be saved', () => {
  let site: TestHost
  const folder = temporaryFolder()
  let count = 0

  before(async () => {
    site = await createTestHost()
    // Comments of one author come faster here than anybody types.
    site.host.hooks.addFilter('comment_flood_filter', () => false)
  })
  after(() => site.close())

  for (const [hook, value, save, fault] of [
    ['wp_insert_post_data', '{}', POST, '"status" is undefined instead of string'],
    ['wp_insert_post_data', '{ ...data, title: 5 }', CHANGE, '"title" is a number instead of string'],
    ['wp_insert_post_data', `{ ...data, authorId: 'me' }`, POST, '"authorId" is a string that is not an ID'],
    ['rest_pre_insert_post', '{}', POST, '"type" is undefined instead of string'],
    ['rest_pre_insert_post', '{ ...data, content: null }', CHANGE, '"content" is null instead of string'],
    ['rest_pre_insert_post', '{ ...data, terms: { category: 5 } }', POST, '"category" is a number instead of array'],
    ['rest_pre_insert_page', '{ ...data, menuOrder: 1.5 }', PAGE, '"menuOrder" is a number that is not a whole number'],
    ['rest_pre_insert_page', `{ ...data, date: 'soon' }`, PAGE, '"date" is a string that is not a date'],
    ['rest_pre_insert_post_tag', '{}', TAG, '"taxonomy" is undefined instead of string'],
    ['rest_pre_insert_post_tag', '{ ...data, name: {} }', TAG, '"name" is an object instead of string'],
    ['rest_pre_insert_user', '{}', USER, 'login'],
    ['rest_pre_insert_user', '{ ...data, description: 5 }', USER, 'description'],
    ['rest_pre_insert_comment', '{}', COMMENT, '"postId" is undefined that is not an ID'],
    [
      'rest_pre_insert_comment',
      `{ ...data, status: 'fine' }`,
      COMMENT,
      '"status" is a string that is none of: approved',
    ],
    ['preprocess_comment', '{}', COMMENT, '"postId" is undefined that is not an ID'],
    ['preprocess_comment', '{ ...data, content: 5 }', COMMENT, '"content" is a number instead of string'],
    ['pre_comment_approved', `'fine'`, COMMENT, 'none of: approved, hold, spam, trash'],
  ] as const) {
    it(`is skipped and named, and what was sent is saved: ${hook}, ${value}`, async () => {
      const id = `breaks-${++count}`
      mkdirSync(join(folder, id), { recursive: true })
      writeFileSync(
        join(folder, id, 'index.ts'),
        extensionSource(id, `host.hooks.addFilter('${hook}', ((data: object) => (${value})) as never)`),
      )
      await site.host.extensions.activate(await site.host.extensions.add(join(folder, id)))
      const reportOf = () => site.host.extensions.list().find((extension) => extension.id === id)
      for (let time = 1; time <= 5 && reportOf()?.state === 'active'; time++) {
        const body = save.body(count * 10 + time)
        const answer = await site.request(`${save.path}?context=edit`, { method: 'POST', as: 'administrator', body })
        expect(answer.status).to.be.oneOf([200, 201])
        expect(save.stored(JSON.parse(await answer.text()))).to.equal(save.sent(count * 10 + time))
      }
      await until(() => reportOf()?.state === 'paused')
      expect(reportOf()?.reason).to.contain(`of ${hook} returned`)
      expect(reportOf()?.reason).to.contain(fault)
      expect(reportOf()?.reason).to.contain(`(${id}/index.ts:5)`)
    })
  }
})
