import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { commandLine } from '../../support/command-line.ts'
import { temporaryFolder } from '../../support/site-folder.ts'
import { until } from '../../support/until.ts'
import { openImportedSite } from '../seo-site.ts'

/** The post of the export that Yoast's values with this number are on. */
const FIRST_YOAST = '_yoast_wpseo_title'

describe('pentad seo migrate, alongside the running site', () => {
  const command = commandLine()
  let site: TestHost
  let yoastPosts: { id: number; path: string; number: string }[]
  before(async () => {
    site = await openImportedSite()
    const { database, content } = site.host
    const rows = await database.db.selectFrom('postmeta').selectAll().where('meta_key', '=', FIRST_YOAST).execute()
    const posts = await content.posts.getMany(rows.map(({ post_id }) => post_id))
    yoastPosts = rows.flatMap(({ post_id: id, meta_value }) => {
      const post = posts.get(id)
      const number = /Yoast title (\d+)/.exec(meta_value)?.[1] ?? ''
      return post?.status === 'publish' && post.password === '' ? [{ id, path: post.path, number }] : []
    })
  })
  after(() => site.close())

  async function migrate(...args: string[]): Promise<string> {
    const { code, output, errors } = await command(site.host.config.siteDir, ['seo', 'migrate', ...args])
    expect(code, errors).to.equal(0)
    return output
  }
  /** The server looks twice a second whether another process wrote settings. */
  const untilServerKnows = (separator: string) =>
    until(() => JSON.stringify(site.host.options.get('seo_settings') ?? {}).includes(`"titleSeparator":"${separator}"`))
  async function headOf(path: string) {
    const html = await (await site.get(path)).text()
    return {
      title: /<title>([^<]*)<\/title>/.exec(html)?.[1],
      description: /<meta name="description" content="([^"]*)"/.exec(html)?.[1],
    }
  }
  const valuesOf = async (key: string) => {
    const rows = await site.host.database.db
      .selectFrom('postmeta')
      .select('meta_value')
      .where('meta_key', '=', key)
      .execute()
    return rows.map(({ meta_value }) => JSON.parse(meta_value)).sort()
  }

  it('says what there is to take over', async () => {
    const output = await migrate()
    expect(output)
      .to.match(/yoast +20 posts/)
      .and.match(/rankmath +7 posts/)
      .and.match(/aioseo +3 posts/)
    expect(output).to.include('--from yoast')
  })

  it('writes nothing in a dry run, and says what it would do', async () => {
    const output = await migrate('--from', 'yoast', '--dry-run')
    expect(output).to.include('nothing was written').and.include('20 of 20 changed').and.include('40 imported')
    expect(output).to.include('titleSeparator')
    expect(await valuesOf('_seo_title')).to.deep.equal([])
    expect(site.host.options.get('seo_settings') ?? {}).not.to.have.property('titleSeparator')
  })

  it('shows what Yoast would have shown', async () => {
    const [own] = yoastPosts
    await site.host.content.meta.set('post', own?.id ?? 0, '_seo_description', 'The owner’s')
    const output = await migrate('--from', 'yoast')
    expect(output).to.include('20 of 20 changed').and.include('39 imported').and.include('1 skipped')
    await untilServerKnows('-')
    expect(yoastPosts.length).to.be.greaterThan(10)
    const siteName = site.host.content.siteSettings().title
    for (const { path, number, id } of yoastPosts) {
      expect(await headOf(path)).to.deep.equal({
        title: `Yoast title ${number} - ${siteName}`,
        description: id === own?.id ? 'The owner’s' : `Yoast description ${number}`,
      })
    }
  })

  it('changes nothing when it is done again', async () => {
    const before = [await valuesOf('_seo_title'), await valuesOf('_seo_description')]
    expect(await migrate('--from', 'yoast'))
      .to.include('0 of 20 changed')
      .and.include('0 imported, 39 unchanged, 1 skipped')
    expect([await valuesOf('_seo_title'), await valuesOf('_seo_description')]).to.deep.equal(before)
  })

  it('replaces what the owner has set if it is asked to', async () => {
    expect(await migrate('--from', 'yoast', '--overwrite'))
      .to.include('1 of 20 changed')
      .and.include('1 imported')
    const [own] = yoastPosts
    // The server shows what another process changed within a second (`page-data-cache.ts`).
    await until(async () => (await headOf(own?.path ?? '')).description === `Yoast description ${own?.number}`)
  })

  it('reads the options of the old site and the plugin’s own export of its redirects', async () => {
    const folder = temporaryFolder()
    const titles = 'a:2:{s:9:"separator";s:8:"sc-tilde";s:19:"metadesc-home-wpseo";s:17:"%%sitedesc%% ♥.";}'
    writeFileSync(join(folder, 'options.json'), JSON.stringify([{ option_name: 'wpseo_titles', option_value: titles }]))
    // As spreadsheets in Western languages save it: Windows-1252.
    const rules = 'Origin,Target,Type,Format\nold-br\u00f6tchen,hello-world,301,plain\nbad,,301,plain\n'
    writeFileSync(join(folder, 'rules.csv'), Buffer.from(rules, 'latin1'))
    const files = ['--options', join(folder, 'options.json'), '--redirects', join(folder, 'rules.csv')]
    const output = await migrate('--from', 'yoast', '--overwrite', ...files)
    expect(output).to.include('titleSeparator, homeDescription').and.include('1 imported, 0 already exist, 1 rejected')
    await untilServerKnows('~')
    expect(site.host.options.get('seo_settings')).to.include({ titleSeparator: '~', homeDescription: '%tagline% ♥.' })
    expect((await headOf(yoastPosts[0]?.path ?? '')).title).to.include(' ~ ')
    const { items } = JSON.parse(
      await (await site.get('/wp-json/seo/v1/redirects', { as: 'administrator' })).text(),
    ).data
    expect(items[0]).to.include({ source: '/old-brötchen', target: '/hello-world' })
  })

  it('says of a file of redirects in a dry run what is in it, and takes one without a plugin for titles', async () => {
    const file = join(temporaryFolder(), 'redirection.csv')
    const rows = ['source,target,regex,code', '/caf\xe9,/hello-world/,0,301', '/b,/hello-world/,0,301', 'x']
    writeFileSync(file, Buffer.from(rows.join('\n'), 'latin1'))
    expect(await migrate('--from', 'yoast', '--redirects', file, '--dry-run'))
      .to.include(`2 in ${file}, 1 invalid`)
      .and.include('4: The row has only one column.')
    expect(await migrate('--redirects', file)).to.include('2 imported, 0 already exist, 1 rejected')
    const known = await site.request('/wp-json/seo/v1/redirects?search=caf', { as: 'administrator' })
    expect(JSON.parse(await known.text()).data.items[0]?.source).to.equal('/café')
  })

  it('says so where a plugin left nothing', async () => {
    expect(await migrate('--from', 'squirrly'))
      .to.include('No data from this plugin found.')
      .and.not.include('0 of 0')
  })

  it('leaves what it came from as it was', async () => {
    expect(await valuesOf('_yoast_wpseo_title')).to.have.length(20)
    expect(await valuesOf('_yoast_wpseo_metadesc')).to.have.length(20)
  })

  it('refuses a plugin and files that it does not know', async () => {
    const run = (...args: string[]) => command(site.host.config.siteDir, ['seo', 'migrate', ...args])
    const results = [
      await run('--from', 'jetpack'),
      await run('--from', 'yoast', '--options', 'nowhere.json'),
      await run('--from', 'yoast', '--options', import.meta.filename),
      await run('--options', import.meta.filename),
    ]
    expect(results.map(({ code }) => code)).to.deep.equal([1, 1, 1, 1])
    expect(results[0]?.errors).to.include('rankmath')
    expect(results[1]?.errors).to.include('File not found: nowhere.json.')
    expect(results[2]?.errors).to.include('is not a JSON export of wp_options')
    expect(results[3]?.errors).to.include('--options requires --from: name the plugin that the options belong to.')
  })
})
