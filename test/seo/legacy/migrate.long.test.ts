import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { JsonValue, Meta, Post } from 'pentad'
import type { TestHost } from 'pentad/testing'
import { readWordPressOptions } from '../../../cli/wordpress-options.ts'
import { migrationSite } from '../../../plugins/seo/cli/seo.ts'
import { type MigrationReport, migrateLegacy } from '../../../plugins/seo/legacy/migrate.ts'
import { legacyPlugins } from '../../../plugins/seo/legacy/plugins/index.ts'
import { LEGACY_IDS, type LegacyId, type LegacyOptions } from '../../../plugins/seo/legacy/types.ts'
import { HOSTILE } from '../../host/hostile-values.ts'
import { temporaryFolder } from '../../support/site-folder.ts'
import { openSeoSite, set } from '../seo-site.ts'

describe('a migration from another SEO plugin', () => {
  let site: TestHost
  before(async () => {
    site = await openSeoSite()
    await site.host.content.updateSiteSettings({ title: 'Kitchen & Co', description: 'Notes from the stove' })
  })
  after(() => site.close())

  const migrate = (
    from: LegacyId,
    { options: wordPressOptions = {}, ...how }: { options?: LegacyOptions; dryRun?: boolean; overwrite?: boolean } = {},
  ): Promise<MigrationReport> =>
    migrateLegacy(migrationSite(site.host), {
      dryRun: false,
      overwrite: false,
      ...how,
      from,
      wordPressOptions,
      onProgress() {},
    })

  /** A post with such meta after a migration: its fields of ours, and the report. */
  async function migrated(from: LegacyId, theirs: Readonly<Record<string, JsonValue>>, about: object = {}) {
    const { content } = site.host
    const meta: Meta = Object.fromEntries(Object.entries(theirs).map(([key, value]) => [key, [value]]))
    const post = await content.posts.insert({ title: 'Bread', status: 'publish', ...about, meta })
    const report = await migrate(from)
    const stored = (await content.meta.of('post', [post.id])).get(post.id) ?? {}
    const fields = Object.fromEntries(
      Object.entries(stored).flatMap(([key, [value]]) => (key.startsWith('_seo_') ? [[key.slice(5), value]] : [])),
    )
    return { post, report, fields }
  }
  const titleOf = async (path: string) => /<title>([^<]*)<\/title>/.exec(await (await site.get(path)).text())?.[1]

  const TITLES: [LegacyId, string, string, string][] = [
    ['yoast', '_yoast_wpseo_title', '%%title%% %%page%% %%sep%% %%sitename%%', '%title% %sep% %page% %sep% %sitename%'],
    ['yoast', '_yoast_wpseo_title', '%%sitedesc%%, %%currentyear%%', '%tagline%, %currentyear%'],
    ['yoast', '_yoast_wpseo_title', 'Salt &amp; <b>bread</b>', 'Salt & bread'],
    [
      'yoast',
      '_yoast_wpseo_title',
      'By %%name%% on %%date%% in %%primary_category%%',
      'By %author% on %date% in %category%',
    ],
    ['yoast', '_yoast_wpseo_title', 'Costs %%cf_price%%, no %%cf_nothing%%', 'Costs 5 €, no'],
    ['yoast', '_yoast_wpseo_title', '%%unknown%% stays out', 'stays out'],
    ['yoast', '_yoast_wpseo_title', '%%ct_category%%single%% only', 'Uncategorized only'],
    ['rankmath', 'rank_math_title', '%title% %sep% %sitename% %page%', '%title% %sep% %sitename% %sep% %page%'],
    ['rankmath', 'rank_math_title', '%customfield(price)% by %name%', '5 € by %author%'],
    ['rankmath', 'rank_math_title', '100% %sitedesc%', '100% %tagline%'],
    ['aioseo', '_aioseo_title', '#post_title #separator_sa #site_title', '%title% %sep% %sitename%'],
    ['aioseo', '_aioseo_title', 'We are #1 in #baking: #custom_field-price', 'We are #1 in #baking: 5 €'],
    ['aioseo', '_aioseop_title', 'Of #taxonomy_title', 'Of %category%'],
    ['seopress', '_seopress_titles_title', '%%post_title%% %%sep%% %%sitetitle%%', '%title% %sep% %sitename%'],
    ['seopress', '_seopress_titles_title', '%%_cf_price%% in %%_ct_category%%', '5 € in Uncategorized'],
    ['seoframework', '_genesis_title', 'My bread', 'My bread %sep% %sitename%'],
    ['slimseo', 'slim_seo', '{{ post.title }} {{ sep }} {{site.title}}', '%title% %sep% %sitename%'],
    ['slimseo', 'slim_seo', '{{ post.custom_field.price }} {{ author.display_name }}', '5 € %author%'],
    ['squirrly', '_sq_title', '{{title}} {{sep}} {{sitename}}', '%title% %sep% %sitename%'],
  ]
  for (const [from, key, theirs, ours] of TITLES)
    it(`of ${from} turns “${theirs}” into “${ours}”`, async () => {
      const value = key === 'slim_seo' ? { title: theirs } : theirs
      const { defaultCategory } = site.host.content.siteSettings()
      const { fields } = await migrated(
        from,
        { [key]: value, price: '5 €' },
        { terms: { category: [defaultCategory] } },
      )
      expect(fields.title).to.equal(ours)
    })

  it('imports a title of The SEO Framework without the site name if that is configured', async () => {
    const { fields } = await migrated('seoframework', { _genesis_title: 'Bare', _tsf_title_no_blogname: '1' })
    expect(fields.title).to.equal('Bare')
  })

  it('takes over canonical addresses, robots, social data and keywords', async () => {
    const { fields } = await migrated('yoast', {
      _yoast_wpseo_canonical: 'https://example.org/bread/',
      '_yoast_wpseo_meta-robots-noindex': '1',
      '_yoast_wpseo_meta-robots-nofollow': '1',
      '_yoast_wpseo_opengraph-title': 'Shared: %%title%%',
      '_yoast_wpseo_opengraph-description': 'Shared',
      '_yoast_wpseo_opengraph-image': 'https://example.org/bread.jpg',
      '_yoast_wpseo_twitter-title': 'On X',
      _yoast_wpseo_schema_article_type: 'NewsArticle',
      _yoast_wpseo_focuskw: 'bread',
    })
    expect(fields).to.deep.equal({
      canonical: 'https://example.org/bread/',
      noindex: true,
      nofollow: true,
      og_title: 'Shared: %title%',
      og_description: 'Shared',
      og_image: 'https://example.org/bread.jpg',
      x_title: 'On X',
      schema_type: 'NewsArticle',
      focus_keyword: 'bread',
    })
  })

  it('reads the robots of Rank Math from their list and names what there is no field for', async () => {
    const { fields, report } = await migrated('rankmath', { rank_math_robots: ['noindex', 'nofollow', 'noarchive'] })
    expect(fields).to.deep.equal({ noindex: true, nofollow: true })
    expect([...report.values.notTaken]).to.deep.include(['robots directive noarchive', 1])
  })

  it('omits X fields of Rank Math unless they are enabled', async () => {
    const theirs = { rank_math_twitter_title: 'On X', rank_math_facebook_title: 'Shared' }
    expect((await migrated('rankmath', { ...theirs, rank_math_twitter_use_facebook: 'on' })).fields).to.deep.equal({
      og_title: 'Shared',
    })
    expect((await migrated('rankmath', { ...theirs, rank_math_twitter_use_facebook: 'off' })).fields).to.include({
      x_title: 'On X',
    })
  })

  it('takes a primary category only if the post has it', async () => {
    const { content } = site.host
    const { id } = await content.terms.insert('category', { name: 'Baking' })
    const own = await migrated('yoast', { _yoast_wpseo_primary_category: String(id) }, { terms: { category: [id] } })
    expect(own.fields).to.deep.equal({ primary_category: id })
    const other = await migrated('yoast', { _yoast_wpseo_primary_category: String(id) })
    expect(other.fields).to.deep.equal({})
    expect([...other.report.values.notTaken.keys()]).to.include('primary category: not assigned to the post')
  })

  it('takes over nothing that could do harm or does not fit', async () => {
    const { fields, report } = await migrated('seopress', {
      _seopress_robots_canonical: 'javascript:alert(1)',
      _seopress_social_fb_img: '//evil.example/x.png',
      _seopress_titles_title: 'long '.repeat(500),
      _seopress_titles_desc: '<script>alert(1)</script>Fine\u0000\r\nX-Header: 1',
    })
    expect(fields).to.not.have.any.keys('canonical', 'og_image', 'title')
    expect(report.values.notTaken.get('canonical: value too long or not a valid URL')).to.equal(1)
    expect(String(fields.description ?? '')).not.to.match(/[\r\n<]/)
  })

  it('handles any value in the place of a plugin’s data', async () => {
    const { content } = site.host
    const keys = Object.values(legacyPlugins).flatMap(({ places }) =>
      Object.keys(places).map((place) => place.split('.')[0] ?? ''),
    )
    const posts: Post[] = []
    for (const json of Object.values(HOSTILE).filter((text) => !text.includes('__proto__'))) {
      const value: JsonValue = JSON.parse(json.replace('1e309', '1'))
      const meta = Object.fromEntries(keys.map((key) => [key, [value]]))
      posts.push(await content.posts.insert({ title: 'Hostile', content: 'Text.', status: 'publish', meta }))
    }
    for (const from of LEGACY_IDS) await migrate(from, { overwrite: true })
    await set(site, { redirects: 'off' })
    for (const { id, path } of posts) {
      const answer = await site.get(path)
      expect(answer.status, path).to.equal(200)
      expect(await answer.text(), path).not.to.include('<script>alert')
      await content.posts.delete(id)
    }
    await set(site, { redirects: 'on' })
  })

  it('keeps a switch that the owner has set to off', async () => {
    const { fields } = await migrated('squirrly', { _sq_noindex: '1', _seo_noindex: false })
    expect(fields).to.deep.equal({ noindex: false })
  })

  it('makes rules of redirects: of posts, and of posts that are nothing else', async () => {
    const { post } = await migrated('seopress', {
      ...{ _seopress_redirections_enabled: 'yes', _seopress_redirections_type: '302' },
      _seopress_redirections_value: '/hello-world/',
    })
    await migrated('seopress', { _seopress_redirections_value: 'https://example.org/off/' }, { title: 'Off' })
    const { report } = await migrated(
      'seopress',
      { _seopress_redirections_enabled: 'yes', _seopress_redirections_value: '/hello-world/' },
      { type: 'seopress_404', title: 'old/bread' },
    )
    expect(report.redirects).to.deep.equal({ found: 2, imported: 1, skipped: 1, errors: [] })
    const moved = await site.get(post.path)
    expect([moved.status, moved.headers.get('Location')]).to.deep.equal([302, '/hello-world/'])
    expect((await site.get('/old/bread')).status).to.equal(301)
  })

  describe('with the options of the old site', () => {
    it('takes over its settings, redirects, and what it says about terms', async () => {
      const { content } = site.host
      const { id, path } = await content.terms.insert('category', { name: 'Cakes' })
      const { post } = await migrated('yoast', {}, { terms: { category: [id] }, title: 'A cake' })
      const options: LegacyOptions = {
        wpseo_titles: {
          separator: 'sc-pipe',
          'title-post': '%%title%% %%sep%% recipes',
          'metadesc-page': '%%excerpt%%',
          'noindex-tax-post_tag': true,
          'noindex-archive-wpseo': false,
          'breadcrumbs-enable': true,
          'breadcrumbs-home': 'Kitchen',
          'breadcrumbs-sep': '&raquo;',
          company_or_person: 'person',
        },
        wpseo: { googleverify: 'abc123' },
        wpseo_social: { twitter_site: 'https://x.com/kitchen', other_social_urls: ['https://social.example/@kitchen'] },
        wpseo_taxonomy_meta: {
          category: { [id]: { wpseo_title: 'All %%term_title%%', wpseo_noindex: 'noindex' } },
        },
        'wpseo-premium-redirects-base': [{ origin: 'old-cake', url: 'hello-world', type: 301, format: 'plain' }],
      }
      const dry = await migrate('yoast', { options, dryRun: true })
      const report = await migrate('yoast', { options })
      expect(dry.settings).to.deep.equal(report.settings)
      expect(dry.redirects).to.deep.equal({ found: 1, imported: 0, skipped: 0, errors: [] })
      expect(report.redirects).to.deep.equal({ found: 1, imported: 1, skipped: 0, errors: [] })
      expect(site.host.options.get('seo_settings')).to.deep.include({
        postTitleTemplate: '%title% %sep% recipes',
        pageDescriptionTemplate: '%excerpt%',
        noindexTypes: ['attachment', 'post_tag'],
        noindexDates: 'off',
        ...{ breadcrumbs: 'on', breadcrumbsHome: 'Kitchen', breadcrumbsSeparator: '»' },
        schemaType: 'Person',
        googleVerification: 'abc123',
        xAccount: 'kitchen',
        socialProfiles: ['https://social.example/@kitchen'],
      })
      expect(await titleOf(post.path)).to.equal('A cake - recipes')
      expect(await titleOf(path)).to.equal('All Cakes')
      expect((await site.get('/old-cake')).headers.get('Location')).to.equal('/hello-world')
    })

    for (const [maker, dump] of [
      [
        'WP-CLI',
        [
          { option_name: 'blogname', option_value: 'Old' },
          { option_name: 'a', option_value: 'a:1:{s:1:"b";b:1;}' },
        ],
      ],
      [
        'phpMyAdmin',
        [
          { type: 'header' },
          {
            type: 'table',
            name: 'wp_options',
            data: [
              { option_id: '1', option_name: 'blogname', option_value: 'Old' },
              { option_name: 'a', option_value: '{"b":true}' },
            ],
          },
        ],
      ],
      ['hand', { blogname: 'Old', a: { b: true } }],
    ] as const)
      it(`reads a dump that ${maker} made`, () => {
        const file = join(temporaryFolder(), 'options.json')
        writeFileSync(file, `\uFEFF${JSON.stringify(dump)}`)
        expect(readWordPressOptions(file)).to.deep.equal({ blogname: 'Old', a: { b: true } })
      })

    it('takes nothing from the options of another plugin', async () => {
      const options = { wpseo_titles: { separator: 'sc-star' }, blogname: 'Old' }
      expect((await migrate('squirrly', { options })).settings.written).to.not.include('homeTitle')
      expect(site.host.options.get('seo_settings')).not.to.include({ titleSeparator: '*' })
    })

    it('detects options that were copied to this site', async () => {
      await site.host.options.update('slim_seo', { home: { description: 'About {{ site.title }}' } })
      await migrate('slimseo')
      expect(site.host.options.get('seo_settings')).to.include({ homeDescription: 'About %sitename%' })
    })

    it('keeps settings that the owner has chosen', async () => {
      await set(site, { homeTitle: 'Mine' })
      const options = {
        'rank-math-options-titles': { homepage_title: '%sitename% %sep% %sitedesc%', title_separator: '&bull;' },
      }
      expect((await migrate('rankmath', { options })).settings).to.deep.equal({
        written: [],
        kept: ['titleSeparator', 'homeTitle'],
      })
      await migrate('rankmath', { options, overwrite: true })
      expect(site.host.options.get('seo_settings')).to.include({
        homeTitle: '%sitename% %sep% %tagline%',
        titleSeparator: '•',
      })
    })
  })
})
