import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { createTestHost, type TestHost } from 'pentad/testing'
import { z } from 'zod'
import { outlineOf } from '../support/html-outline.ts'
import { importExport } from '../support/import-export.ts'

const FIXTURES = join(import.meta.dirname, '../fixtures/blocks')
const fixture = (name: string) => readFileSync(join(FIXTURES, `${name}.html`), 'utf8')

/** A field of the comment form that only programs fill in. */
const HONEYPOT = /contact_me_by_fax|p\.screen-reader-text aria-hidden/
/** WordPress remembers a commenter's name in cookies, Pentad does not. */
const COOKIES = /cookies-consent|Save my name, email, and website in this browser/

const PAGES = { page: '/blocks-page/', post: '/blocks-post/', archive: '/category/travel/page/2/' }

/** The day on which WordPress made the recorded pages. */
const RECORDED = '2026-11-23T12:00:00Z'

describe("WordPress's own blocks, compared with the output of WordPress 6.1 for the same content", () => {
  let site: TestHost
  before(async () => {
    site = await createTestHost({ now: RECORDED })
    await importExport(site)
    await fill(site)
  })
  after(() => site.close())

  for (const [name, path] of Object.entries(PAGES)) {
    it(`the ${name} has the same elements, classes, texts and links`, async () => {
      const answer = await site.get(path)
      expect(answer.status).to.equal(200)
      const html = /<p[^>]*>START of the blocks.*END of the blocks<\/p>/s.exec(await answer.text())?.[0] ?? ''
      const ours = outlineOf(
        html.replaceAll(site.url, '{home}').replaceAll(encodeURIComponent(site.url), '{home}'),
      ).filter((line) => !HONEYPOT.test(line))
      expect(ours).to.deep.equal(outlineOf(fixture(`${name}.recorded`)).filter((line) => !COOKIES.test(line)))
    })
  }
})

describe("WordPress's own block types", () => {
  it('are listed for editors with the attributes and defaults that WordPress 6.1 declares', async () => {
    const site = await createTestHost()
    const answer = await site.get('/wp-json/wp/v2/block-types?namespace=core', { as: 'editor' })
    const listed = z.array(listedType).parse(await answer.json())
    const recorded = z
      .record(z.string(), recordedType)
      .parse(JSON.parse(readFileSync(join(FIXTURES, 'types.recorded.json'), 'utf8')))
    for (const [name, { dynamic, attributes }] of Object.entries(recorded)) {
      if (NOT_HERE.includes(name)) continue
      const type = listed.find((one) => one.name === name)
      const { metadata: _, ...ours } = type?.attributes ?? {}
      const defaults = Object.fromEntries(Object.entries(ours).map(([key, value]) => [key, value.default ?? null]))
      expect(defaults, name).to.deep.equal(attributes)
      expect(type?.is_dynamic, name).to.equal(dynamic)
    }
    await site.close()
  })
})

const listedType = z.object({
  name: z.string(),
  is_dynamic: z.boolean(),
  attributes: z.record(z.string(), z.object({ default: z.unknown().optional() })),
})
const recordedType = z.object({ dynamic: z.boolean(), attributes: z.record(z.string(), z.unknown()) })
/** Widgets, columns that WordPress replaced, and what only its editor shows. */
const NOT_HERE = [...['core/legacy-widget', 'core/widget-group', 'core/text-columns', 'core/missing']]

/** The same posts that `record.php` makes. */
async function fill({ host: { content, auth, hooks }, url }: TestHost): Promise<void> {
  const values = new Map([['home', url]])
  const idOf = async (kind: string, slug: string): Promise<number> => {
    if (kind === 'user') return (await auth.users.getByLogin(slug))?.id ?? 0
    if (kind === 'category') return (await content.terms.getBySlug('category', slug))?.id ?? 0
    const { items } = await content.posts.query({ types: [kind], statuses: ['publish', 'inherit'], slugs: [slug] })
    return items[0]?.id ?? 0
  }
  const filled = async (text: string): Promise<string> => {
    let done = text.replaceAll('{home}', url).replaceAll('{uploads}', `${url}/wp-content/uploads`)
    for (const [name, value] of values) done = done.replaceAll(`{${name}}`, value)
    for (const [whole, kind = '', slug = ''] of text.matchAll(/\{(page|attachment|category|user):([a-z]+)\}/g)) {
      done = done.replaceAll(whole, String(await idOf(kind, slug)))
    }
    return done
  }
  const admin = await idOf('user', 'admin')
  const put = async (type: string, name: string, more: Parameters<typeof content.posts.insert>[0]) =>
    content.posts.insert({
      ...{ type, slug: `blocks-${name}`, title: `Blocks: ${name}`, status: 'publish', authorId: admin },
      ...{ content: await filled(fixture(name)), ...more },
    })
  for (const [type, name] of [
    ['wp_block', 'pattern'],
    ['wp_navigation', 'navigation'],
  ] as const) {
    values.set(name, String((await put(type, name, { date: '2026-03-01T09:00:00' })).id))
  }
  await content.updateSiteSettings({ siteLogo: await idOf('attachment', 'icon') })
  await auth.users.update(admin, { description: 'Writes & travels.' })
  await put('page', 'page', { date: '2026-03-02T09:00:00', menuOrder: 20 })
  const post = await put('post', 'post', {
    ...{ date: '2026-02-12T09:00:00', modified: '2026-02-13T09:00:00', commentStatus: 'open' },
    terms: { category: [await idOf('category', 'travel')] },
    meta: { _thumbnail_id: [await idOf('attachment', 'tower')] },
  })
  const comment = async (authorName: string, parentId: number, at: string, authorUrl = '') =>
    content.comments.insert({
      ...{ postId: post.id, parentId, userId: 0, authorName, authorUrl, type: 'comment', status: 'approved' },
      ...{ authorEmail: `${authorName.toLowerCase()}@example.net`, authorAddress: '', userAgent: '' },
      ...{ content: `Words of ${authorName}.`, date: `2026-02-14T${at}:00`, dateGmt: `2026-02-14T${at}:00` },
    })
  const first = await comment('Ann', 0, '10:00', 'https://example.net/ann')
  await comment('Bob', first.id, '11:00')
  // At the end of the page of a category: blocks of templates.
  await content.terms.update(await idOf('category', 'travel'), { description: 'Trains & towns' })
  hooks.addAction('wp_footer', async (output, page) => {
    if (page.kind === 'category') output.print(await content.renderBlocks(fixture('archive'), page.posts[0] ?? post))
  })
  await comment('Cid', 0, '12:00')
}
