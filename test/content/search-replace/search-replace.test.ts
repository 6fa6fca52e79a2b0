import { expect } from 'chai'
import { z } from 'zod'
import { replaceIn } from '../../../cms/content/replace-in-text.ts'
import { type SearchReplace, searchReplace } from '../../../cms/content/search-replace/index.ts'
import { createLog } from '../../../core/log.ts'
import { createSettings, loadSiteKey } from '../../../core/options/index.ts'
import type { SettingsRegistry } from '../../../core/options/types.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { type OpenSite, openSite } from '../import/open-site.ts'

const OLD = 'http://old.example'
const NEW = 'https://new.example/sub'

onEachDatabase('searchReplace', (databaseUrl) => {
  let site: OpenSite
  let settings: SettingsRegistry
  let postId: number
  let revisionOf: number

  before(async () => {
    site = await openSite(await databaseUrl())
    const { content, options, hooks, siteDir, auth } = site
    settings = createSettings({ options, hooks, siteKey: loadSiteKey(siteDir), log: createLog('silent') })
    const schema = z.object({
      server: z.string().default(''),
      list: z.array(z.string()).default([]),
      token: z.string().default('').meta({ secret: true }),
    })
    await settings.register('example', schema).settings.update({ server: OLD, list: ['a', `${OLD}/b`], token: OLD })
    const term = await content.terms.insert('category', {
      name: 'Old',
      description: `See ${OLD}`,
      meta: { url: [OLD] },
    })
    await auth.users.update(1, { url: `${OLD}/me`, description: OLD })
    const post = await content.posts.insert({
      ...{ title: `About ${OLD}`, content: `<a href="${OLD}/x">${OLD} khachapuri</a>`, excerpt: OLD, password: '' },
      ...{ status: 'publish', guid: `${OLD}/?p=1`, terms: { category: [term.id] } },
      meta: {
        plain: [OLD],
        nested: [{ [OLD]: [{ deep: `${OLD}/y`, number: 5, no: null }] }],
        serialized: [`a:1:{s:3:"url";O:8:"stdClass":1:{s:1:"u";s:${OLD.length}:"${OLD}";}}`, `a:1:{s:99:"${OLD}";}`],
        other: ['nothing of it'],
      },
    })
    postId = post.id
    revisionOf = (await content.posts.update(post.id, { excerpt: `${OLD} again` })).id
    await content.comments.insert({
      ...{ postId, parentId: 0, userId: 0, authorName: 'Ann', authorEmail: 'ann@old.example', authorUrl: `${OLD}/ann` },
      ...{ authorAddress: '', userAgent: '', content: `Look: ${OLD}`, status: 'approved', type: 'comment' },
      ...{ date: '', dateGmt: '', meta: { from: [OLD] } },
    })
    await content.updateSiteSettings({ description: `Was ${OLD}` })
  })
  after(() => site.close())

  const run = (asked: Partial<SearchReplace> = {}) =>
    searchReplace({ ...site, settings }, { search: OLD, replacement: NEW, ...asked })
  const counted = async (asked: Partial<SearchReplace>) =>
    Object.fromEntries(
      (await run(asked)).flatMap(({ table, column, replacements }) =>
        replacements > 0 ? [[`${table}.${column}`, replacements]] : [],
      ),
    )
  /** Two revisions have the texts too. */
  const EXPECTED = {
    ...{ 'posts.post_title': 3, 'posts.post_content': 3, 'posts.post_excerpt': 3, 'postmeta.meta_value': 3 },
    ...{ 'terms.description': 1, 'termmeta.meta_value': 1, 'comments.comment_content': 1 },
    ...{ 'comments.comment_author_url': 1, 'commentmeta.meta_value': 1, 'users.user_url': 1 },
    ...{ 'users.description': 1, 'options.option_value': 3 },
  }

  it('counts in a dry run and changes nothing', async () => {
    const before = JSON.stringify(await site.dump())
    const fired: string[] = []
    const undo = site.hooks.addAction('search_replaced', () => void fired.push('search_replaced'))
    expect(await counted({ dryRun: true })).to.deep.equal(EXPECTED)
    undo()
    expect(fired).to.deep.equal([])
    expect(JSON.stringify(await site.dump())).to.equal(before)
  })

  it('takes tables and columns, and refuses those that there are not', async () => {
    expect(await counted({ dryRun: true, tables: ['comments', 'options'] })).to.deep.equal({
      ...{ 'comments.comment_content': 1, 'comments.comment_author_url': 1, 'options.option_value': 3 },
    })
    expect(await counted({ dryRun: true, includeColumns: ['guid'] })).to.deep.equal({ 'posts.guid': 1 })
    expect(
      await counted({ dryRun: true, tables: ['posts'], skipColumns: ['post_content', 'post_title'] }),
    ).to.deep.equal({
      'posts.post_excerpt': 3,
    })
    const refusal = (asked: Partial<SearchReplace>) => run(asked).then(String, (error: Error) => error.message)
    expect(await refusal({ tables: ['sessions'] })).to.include('There is no table "sessions"')
    expect(await refusal({ includeColumns: ['user_pass'] })).to.include('There is no column "user_pass"')
    expect(await refusal({ search: '' })).to.include('text to search for is empty')
    expect(await refusal({ search: NEW })).to.include('are the same')
    expect(await refusal({ search: '(', isRegex: true })).to.not.equal('')
  })

  it('replaces everywhere, keeps structures, and fires once', async () => {
    const fired: string[] = []
    const undos = [
      site.hooks.addAction('search_replaced', (...args) => void fired.push(args.join(' '))),
      site.hooks.addAction('save_post', () => void fired.push('save_post')),
    ]
    expect(await counted({})).to.deep.equal(EXPECTED)
    for (const undo of undos) undo()
    expect(fired).to.deep.equal([`${OLD} ${NEW}`])

    const { content } = site
    const post = await content.posts.get(postId)
    expect(post).to.include({ title: `About ${NEW}`, excerpt: `${NEW} again`, guid: `${OLD}/?p=1` })
    expect(post?.content).to.equal(`<a href="${NEW}/x">${NEW} khachapuri</a>`)
    const meta = (await content.meta.of('post', [postId])).get(postId)
    expect(meta?.nested).to.deep.equal([{ [OLD]: [{ deep: `${NEW}/y`, number: 5, no: null }] }])
    expect(meta?.serialized).to.deep.equal([
      `a:1:{s:3:"url";O:8:"stdClass":1:{s:1:"u";s:${NEW.length}:"${NEW}";}}`,
      `a:1:{s:99:"${OLD}";}`,
    ])
    expect(settings.get('example')?.get()).to.deep.equal({ server: NEW, list: ['a', `${NEW}/b`], token: OLD })
    expect(content.siteSettings().description).to.equal(`Was ${NEW}`)
    const [comment] = await content.comments.allOfPost(postId)
    expect(comment).to.include({ authorUrl: `${NEW}/ann`, authorEmail: 'ann@old.example', content: `Look: ${NEW}` })
    expect((await content.posts.query({ search: 'new.example' })).items.map(({ id }) => id)).to.deep.equal([revisionOf])
    expect((await content.posts.query({ search: 'old.example' })).items).to.deep.equal([])
    expect(await counted({})).to.deep.equal({})
  })

  it('takes a regular expression, in time that grows with the text', async () => {
    const { content } = site
    const long = await content.posts.insert({ title: 'Long', content: `${'a'.repeat(200_000)}!`, status: 'draft' })
    const replaced = await counted({ search: '(a+)+$', replacement: 'x', isRegex: true, tables: ['posts'] })
    expect(replaced['posts.post_content']).to.equal(undefined)
    const words = { search: 'kh(acha)puri', replacement: 'P$1', isRegex: true, includeColumns: ['post_content'] }
    expect(await counted(words)).to.deep.equal({ 'posts.post_content': 3 })
    expect((await content.posts.get(postId))?.content).to.include('Pacha')
    await content.posts.delete(long.id)
  })
})

describe('Text that PHP serialized', () => {
  const replace = (text: string) => replaceIn(text, (part) => part.replaceAll('old', 'newer'))
  const cases: readonly (readonly [string, string])[] = [
    ['s:3:"old";', 's:5:"newer";'],
    ['a:2:{s:3:"old";i:1;i:5;d:0.5;}', 'a:2:{s:5:"newer";i:1;i:5;d:0.5;}'],
    ['O:3:"old":1:{s:3:"old";N;}', 'O:3:"old":1:{s:5:"newer";N;}'],
    ['a:1:{i:0;s:10:"s:3:"old";";}', 'a:1:{i:0;s:12:"s:5:"newer";";}'],
    ['a:1:{i:0;s:5:"öold";}', 'a:1:{i:0;s:7:"önewer";}'],
    ['C:3:"old":3:{old}', 'C:3:"old":3:{old}'],
    ['a:1:{i:0;s:9:"old";}', 'a:1:{i:0;s:9:"old";}'],
    ['an old text; s:3:"old";', 'an newer text; s:3:"newer";'],
  ]
  for (const [before, after] of cases) it(`${before} becomes ${after}`, () => expect(replace(before)).to.equal(after))
})
