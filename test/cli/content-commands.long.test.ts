import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { commandLine } from '../support/command-line.ts'
import { pentad, type RunningSite, startPentad } from '../support/pentad.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { until } from '../support/until.ts'

describe("pentad with WP-CLI's commands, alongside a running site", () => {
  const siteDir = temporaryFolder()
  const command = commandLine()
  let site: RunningSite

  before(async () => {
    site = await startPentad(siteDir)
  })
  after(() => site.end())

  const run = async (...args: string[]) => {
    const { code, output, errors } = await command(siteDir, args)
    expect(code, errors).to.equal(0)
    return output.trim()
  }
  const refusal = async (...args: string[]) => {
    const { code, errors } = await command(siteDir, args)
    expect(code, args.join(' ')).to.equal(1)
    return errors.trim()
  }
  const page = async (path: string) => (await fetch(site.url + path)).text()

  it('post creates, changes, lists and deletes posts, and the site shows it at once', async () => {
    const home = await page('/')
    expect(home).not.to.contain('Tea &amp; cake')
    const fields = ['--post_title', 'Tea & cake', '--post_status', 'publish', '--post_name', 'tea', '--porcelain']
    const { code, output, errors } = await pentad(
      siteDir,
      ['post', 'create', '-', ...fields],
      '<p>From standard input.</p>',
    )
    expect(code, errors).to.equal(0)
    const id = output.trim()
    expect(await page('/tea/')).to.contain('From standard input.')
    await until(async () => (await page('/')).includes('Tea &amp; cake'))
    expect(await run('post', 'update', id, '--post_title', '=Coffee,\n"black"')).to.equal(`Updated post ${id}.`)
    await until(async () => (await page('/tea/')).includes('Coffee'))
    expect(await run('post', 'get', id, '--field=post_content')).to.equal('<p>From standard input.</p>')
    // No formula to the spreadsheet that opens it.
    const listed = await run('post', 'list', '--fields=ID,post_title,post_status', '--format=csv')
    expect(listed.startsWith(`ID,post_title,post_status\n${id},"'=Coffee,\n""black""",publish\n`), listed).to.equal(
      true,
    )
    expect(await run('post', 'delete', id)).to.equal(`Moved post ${id} to the trash.`)
    await until(async () => (await fetch(`${site.url}/tea/`)).status === 404)
    expect(await refusal('post', 'delete', id)).to.contain('--force')
    expect(await run('post', 'delete', id, '--force')).to.equal(`Deleted post ${id}.`)
    expect(await refusal('post', 'get', id)).to.contain(`There is no post ${id}.`)
  })

  it('post and search-replace know a text with the present address of a site that had another', async () => {
    const text = `<p>See ${site.url}/here/, Example & Co.</p>`
    const id = await run('post', 'create', '--post_title', 'Moved', '--post_content', text, '--porcelain')
    const config = join(siteDir, 'config.json')
    writeFileSync(config, JSON.stringify({ url: 'https://moved.example' }))
    const content = () => run('post', 'get', id, '--field=post_content')
    const replace = (search: string, replacement: string) =>
      run('search-replace', search, replacement, 'posts', '--include-columns=post_content')
    try {
      expect(await content()).to.equal('<p>See https://moved.example/here/, Example & Co.</p>')
      await replace('https://moved.example/here/', 'https://moved.example/there/')
      expect(await content()).to.equal('<p>See https://moved.example/there/, Example & Co.</p>')
      await run('post', 'update', id, '--post_content', text)
      await replace(`${site.url}/here/`, 'https://other.example/')
      await replace('Example & Co', 'Example plc')
      expect(await content()).to.equal('<p>See https://other.example/, Example plc.</p>')
    } finally {
      rmSync(config)
      await run('post', 'delete', id, '--force')
    }
  })

  it('post refuses what is not there, and then changes nothing', async () => {
    const [id = ''] = (await run('post', 'list', '--format=ids')).split(' ')
    expect(await refusal('post', 'update', id, '99999', '--post_title', 'x')).to.contain('There is no post 99999.')
    expect(await run('post', 'get', id, '--field=post_title')).not.to.equal('x')
    expect(await refusal('post', 'create', '--post_type', 'recipe')).to.contain('Post types: post, page')
    expect(await refusal('post', 'list', '--fields', 'ID,color')).to.contain('There is no field "color". Fields: ID')
  })

  it('user lists, changes and deletes users', async () => {
    await run('user', 'create', 'bob', 'bob@example.org')
    expect(await refusal('user', 'create', 'carol')).to.contain('user create <login> <email>')
    await run('user', 'update', 'bob', '--role', 'editor', '--display_name', 'Bob B.')
    const [bob] = JSON.parse(await run('user', 'list', '--role', 'editor', '--format', 'json'))
    expect(bob).to.include({ user_login: 'bob', display_name: 'Bob B.', roles: 'editor' })
    expect(await refusal('user', 'delete', 'bob')).to.contain('--reassign')
    const administrator = await run('user', 'list', '--role=administrator', '--field=user_login')
    expect(await run('user', 'delete', 'bob@example.org', '--reassign', administrator)).to.equal('Deleted user bob.')
    expect(await refusal('user', 'delete', administrator, '--yes')).to.contain('administrator')
  })

  it("option reads and changes settings under WordPress's names, and hides secrets", async () => {
    await run('option', 'update', 'blogname', 'Night & Day')
    expect(await run('option', 'get', 'blogname')).to.equal('Night & Day')
    await until(async () => (await page('/')).includes('Night &amp; Day'))
    await run('option', 'update', 'posts_per_page', '3')
    expect(await run('option', 'get', 'posts_per_page', '--format=json')).to.equal('3')
    expect(await refusal('option', 'update', 'posts_per_page', 'many')).to.contain('posts_per_page')
    expect(await refusal('option', 'get', 'blog_name')).to.contain('There is no option "blog_name". Options: blogname')
    await run('option', 'update', 'ai_settings', '{"openaiApiKey":"sk-secret-value"}', '--format=json')
    const all = await run('option', 'list', '--format=json')
    expect(all).to.contain('ai_settings').and.not.contain('sk-secret-value')
    expect(await refusal('option', 'update', 'speed_settings', '{"pageCache":"perhaps"}', '--format=json')).to.contain(
      'pageCache',
    )
  })

  it('cache purge removes pages, media regenerate makes sizes again', async () => {
    await until(async () => (await fetch(`${site.url}/hello-world/`)).headers.get('x-cache') === 'HIT')
    expect(await run('cache', 'purge', '/hello-world/')).to.match(/^Purged .*\/hello-world\/\.$/)
    expect((await fetch(`${site.url}/hello-world/`)).headers.get('x-cache')).to.be.oneOf(['MISS', 'HIT', 'STALE'])
    expect(await run('cache', 'purge', '--tag', 'no-page', '--dry-run')).to.equal('No cached page would be purged.')
    expect(await run('cache', 'purge', '/', '/about/', '--tag', 'post-1')).to.match(
      /^Purged the tag post-1, .*\/about\//,
    )
    expect(await run('cache', 'flush')).to.equal('Purged the cache.')
    expect(await refusal('cache', 'purge', 'https://example.com/')).to.contain('not a page of this site')
    for (const contradictory of [
      ['--all', '--tag', 'post-1'],
      ['--all', '/about/'],
      ['--scope', 'pages', '/about/'],
      ['--scope', 'pages', '--tag', 'post-1'],
      ['--scope', 'everything', '--soft'],
    ]) {
      expect(await refusal('cache', 'purge', ...contradictory)).to.match(
        /cannot be used with option|Use either URLs or/,
      )
    }
    expect(await run('media', 'regenerate', '--yes')).to.equal('Regenerated 0 of 0 images.')
    expect(await refusal('media', 'regenerate', '1')).to.contain('1 of 1 images could not be regenerated')
  })
})
