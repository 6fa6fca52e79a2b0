import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { commandLine } from '../support/command-line.ts'
import { pentad } from '../support/pentad.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { startedSite } from '../support/started-site.ts'

const EXPORT = join(import.meta.dirname, '../fixtures/wordpress-export.xml')

describe('pentad export', () => {
  const command = commandLine()
  const siteDir = startedSite()
  const count = (text: string) => text.split('<item>').length - 1

  before(async () => {
    const { code, errors } = await pentad(siteDir, ['import', EXPORT])
    expect(code, errors).to.equal(0)
  })

  it('writes a file named after the site into a folder', async () => {
    const dir = join(temporaryFolder(), 'new')
    const { code, output, errors } = await command(siteDir, ['export', '--dir', dir])
    expect(code, errors).to.equal(0)
    const [name = '', ...others] = readdirSync(dir)
    expect(others).to.deep.equal([])
    expect(name).to.match(/^oracle-gazette\.WordPress\.\d{4}-\d\d-\d\d\.xml$/)
    expect(output).to.equal(`Exported 68 items to ${join(dir, name)}.\n`)
    expect(count(readFileSync(join(dir, name), 'utf8'))).to.equal(68)
  })

  it('writes a file that is named: by an absolute path where that is, others into the folder', async () => {
    const dir = temporaryFolder()
    const path = join(temporaryFolder(), 'all.xml')
    const { code, output, errors } = await command(siteDir, ['export', path, '--dir', dir, '--post_type=page'])
    expect(code, errors).to.equal(0)
    expect(output).to.match(new RegExp(`to ${RegExp.escape(path)}\\.\\n$`))
    expect(readFileSync(path, 'utf8')).to.match(/<\/rss>\n$/)
    expect((await command(siteDir, ['export', 'pages.xml', '--dir', dir, '--post_type=page'])).code).to.equal(0)
    expect(readdirSync(dir)).to.deep.equal(['pages.xml'])
  })

  it('writes to standard output what the filters let through, and nothing else', async () => {
    const { code, output, errors } = await pentad(siteDir, ['export', '-', '--post_type=page,post', '--status=draft'])
    expect(code, errors).to.equal(0)
    expect(output)
      .to.match(/^<\?xml /)
      .and.match(/<\/rss>\n$/)
    expect(count(output)).to.be.within(1, 5)
  })

  it('refuses a start date after the end date, and makes the folder of a file', async () => {
    const refused = await command(siteDir, ['export', '--start_date=2026-02-01', '--end_date=2026-01-31'])
    expect(refused.code).to.equal(1)
    expect(refused.errors).to.contain('The start date 2026-02-01 is after the end date 2026-01-31.')
    const path = join(temporaryFolder(), 'exports/of/pages.xml')
    expect((await command(siteDir, ['export', path, '--post_type=page'])).errors).to.equal('')
    expect(count(readFileSync(path, 'utf8'))).to.be.greaterThan(0)
  })

  it('splits an export into files of which each can be imported alone, and all of them together', async () => {
    const dir = temporaryFolder()
    const split = ['export', '--dir', dir, '--max_file_size=0.05', '--filename_format={site}-{n}.xml']
    expect((await command(siteDir, split)).code).to.equal(0)
    const names = readdirSync(dir).sort()
    expect(names.length).to.be.greaterThan(3)
    const texts = names.map((name) => readFileSync(join(dir, name), 'utf8'))
    expect(texts.reduce((sum, text) => sum + count(text), 0)).to.equal(68)
    for (const text of texts)
      expect(text)
        .to.include('<wp:author_login>')
        .and.match(/<\/rss>\n$/)

    const other = startedSite()
    const { code, output } = await pentad(other, ['import', ...names.map((name) => join(dir, name))])
    expect(code).to.equal(0)
    expect(output).to.match(/post +51 added/)
  })

  it('refuses what there is not, and writes no file', async () => {
    const dir = temporaryFolder()
    const refusal = async (...args: string[]) => (await command(siteDir, ['export', '--dir', dir, ...args])).errors
    expect(await refusal('--post_type=nothing')).to.include('There is no post type "nothing"')
    expect(await refusal('--start_date=2026-02-30')).to.include('"2026-02-30" is not a date')
    expect(readdirSync(dir)).to.deep.equal([])
  })
})
