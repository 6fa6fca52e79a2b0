import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { openSession } from '../support/session.ts'
import { toObject } from './gazette.ts'
import { useOwnSite } from './own-site.ts'

describe('wp/v2/settings', () => {
  const site = useOwnSite()
  let admin: string
  before(async () => {
    admin = await site.signIn('admin', 'administrator')
  })

  const write = (settings: object, as = admin) => site.ask('POST /wp/v2/settings', settings, as)
  const outcome = (settings: object, as = admin) => site.outcome('POST /wp/v2/settings', settings, as)

  it('answers the names of WordPress in its order, then permalinks and whether search engines may list the site', async () => {
    const golden = readFileSync(join(import.meta.dirname, '../fixtures/rest-golden.md'), 'utf8')
    const recorded = /### settings\n[\s\S]*?\n(\{.*\})/.exec(golden)?.[1] ?? ''
    const { item } = await site.ask('GET /wp/v2/settings', undefined, admin)
    expect(Object.keys(item)).to.deep.equal([
      ...Object.keys(toObject(JSON.parse(recorded))),
      ...['permalink_structure', 'category_base', 'tag_base', 'blog_public'],
    ])
  })

  it('stores what was sent, leaves the rest, and the site follows', async () => {
    const { status, item } = await write({
      title: 'Trains & Tracks',
      posts_per_page: 3,
      site_icon: 7,
      use_smilies: false,
    })
    expect(status).to.equal(200)
    expect(item).to.include({ title: 'Trains & Tracks', posts_per_page: 3, site_icon: 7, use_smilies: false })
    expect(item.language).to.equal('en_US')
    expect((await site.ask('GET /')).item.name).to.equal('Trains & Tracks')
    expect((await site.ask('PUT /wp/v2/settings', { site_icon: 0 }, admin)).item.posts_per_page).to.equal(3)
  })

  it('hides the site from search engines and shows it again', async () => {
    const robots = async () => (await (await fetch(`${site.url}/`)).text()).match(/<meta name=.robots.[^>]*>/)?.[0]
    expect((await write({ blog_public: false })).item.blog_public).to.equal(false)
    expect(await robots()).to.contain('noindex')
    expect((await write({ blog_public: true })).item.blog_public).to.equal(true)
    expect(await robots()).not.to.contain('noindex')
  })

  it('puts a setting back to its default with null', async () => {
    await write({ posts_per_page: 5 })
    expect((await write({ posts_per_page: null })).item.posts_per_page).to.equal(10)
  })

  it('rejects invalid values and stores nothing', async () => {
    await write({ title: 'Before' })
    for (const wrong of [
      { start_of_week: 9 },
      { default_comment_status: 'maybe' },
      { permalink_structure: '/%nothing%/' },
      { timezone: 'Mars/Base' },
      { email: 'nowhere' },
      { posts_per_page: 0 },
      { url: 'https://elsewhere.example' },
      { default_category: 9999 },
    ]) {
      expect(await outcome({ title: 'After', ...wrong }), JSON.stringify(wrong)).to.equal('400 rest_invalid_param')
    }
    expect((await site.ask('GET /wp/v2/settings', undefined, admin)).item.title).to.equal('Before')
    expect(await outcome({ url: site.url })).to.equal('200')
  })

  it('refuses addresses that the host or other lists have, and names the field as the request does', async () => {
    const refused: [string, string][] = [
      ['permalink_structure', '/wp-json/%postname%/'],
      ['permalink_structure', '/wp-admin/%postname%/'],
      ['permalink_structure', '/WP-Content/%year%/%postname%'],
      ['permalink_structure', '/wp-includes/%post_id%'],
      ['permalink_structure', '/author/%postname%/'],
      ['permalink_structure', '/search/%post_id%'],
      ['category_base', 'wp-json/topics'],
      ['category_base', '%year%'],
      ['category_base', 'search'],
      ['category_base', 'tag'],
      ['tag_base', 'wp-admin'],
      ['tag_base', 'category'],
      ['tag_base', '/category/tags/'],
    ]
    for (const [name, value] of refused) {
      const { status, item } = await write({ [name]: value })
      expect([status, item.code], `${name} ${value}`).to.deep.equal([400, 'rest_invalid_param'])
      const { params, details } = toObject(item.data)
      expect([Object.keys(toObject(params)), Object.keys(toObject(details))], value).to.deep.equal([[name], [name]])
    }
    const both = await write({ category_base: 'topics', tag_base: 'topics' })
    expect(Object.keys(toObject(toObject(both.item.data).params))).to.deep.equal(['tag_base'])
    for (const taken of [
      { permalink_structure: '/wp/%postname%/' },
      { permalink_structure: '/author/%author%/%postname%/' },
      { category_base: 'topics/all', tag_base: 'topics' },
      { category_base: null, tag_base: null, permalink_structure: null },
    ])
      expect(await outcome(taken), JSON.stringify(taken)).to.equal('200')
  })

  it('changes the administration e-mail address only after the current password, which the security log notes', async () => {
    const { auth, content } = site.host
    const email = 'owner@example.org'
    expect(await outcome({ email, title: 'Both' })).to.equal('403 application_password_forbidden')
    const user = await auth.users.getByLogin('admin')
    if (!user) throw new Error('There is no administrator.')
    const unconfirmed = await openSession(auth, user)
    expect(await site.outcome('POST /wp/v2/settings', { email, title: 'Both' }, unconfirmed)).to.equal(
      '403 password_confirmation_required',
    )
    expect(content.siteSettings()).to.not.include({ adminEmail: email }).and.not.include({ title: 'Both' })
    const confirmed = await site.browser('admin', 'admin-password')
    expect(await site.outcome('POST /wp/v2/settings', { email, title: 'Both' }, confirmed)).to.equal('200')
    expect(content.siteSettings()).to.include({ adminEmail: email, title: 'Both' })
    expect(await outcome({ email, title: 'As it is' }), 'no change of it').to.equal('200')
    const { items } = await auth.securityLog.query({ events: ['site_email_changed'], limit: 9, offset: 0 })
    expect(items.map(({ actor }) => actor?.login)).to.deep.equal(['admin'])
  })

  it('is for administrators', async () => {
    for (const role of ['subscriber', 'editor']) {
      const as = await site.signIn(role, role)
      expect(await outcome({ title: 'Mine' }, as)).to.equal('403 rest_forbidden')
      expect(await site.outcome('GET /wp/v2/settings', undefined, as)).to.equal('403 rest_forbidden')
    }
    expect(await site.outcome('POST /wp/v2/settings', { title: 'Mine' })).to.equal('401 rest_forbidden')
  })

  it('lets extensions read and write a setting in their own way', async () => {
    const seen: unknown[] = []
    const { hooks } = site.host
    const undo = [
      hooks.addFilter('rest_pre_get_setting', (value, name) => (name === 'description' ? 'From elsewhere' : value)),
      hooks.addFilter('rest_pre_update_setting', (done, name, value) => {
        if (name !== 'title') return done
        seen.push(value)
        return true
      }),
    ]
    const before = site.host.content.siteSettings().title
    const { item } = await write({ title: 'Not stored' })
    for (const one of undo) one()
    expect(seen).to.deep.equal(['Not stored'])
    expect([item.title, item.description]).to.deep.equal([before, 'From elsewhere'])
  })
})
