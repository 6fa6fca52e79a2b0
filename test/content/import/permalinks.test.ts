import { expect } from 'chai'
import { openExport } from '../../../cms/content/import/export-files.ts'
import type { ImportReport } from '../../../cms/content/import/index.ts'
import { structuresOf } from '../../../cms/content/import/infer-structure.ts'
import { readExports } from '../../../cms/content/import/read-elements.ts'
import { readRecord, type WxrItem } from '../../../cms/content/import/wxr.ts'
import { type OpenSite, openSite } from './open-site.ts'
import { type ItemParts, wxrFile, wxrItem } from './wxr-file.ts'

/** An item with the address that it had. */
const at = (link: string, { more = '', ...item }: ItemParts) =>
  wxrItem({ ...item, more: `<link>${link}</link>${more}` })
const category = (slug: string) => `<category domain="category" nicename="${slug}">${slug}</category>`

describe('The permalink structure of an export', () => {
  const item = (link: string, parts: Partial<ItemParts> = {}): Promise<WxrItem> =>
    firstItem(at(link, { id: 7, ...parts }))
  async function firstItem(element: string): Promise<WxrItem> {
    for await (const { element: read } of readExports(await openExport(wxrFile([element])))) {
      const record = readRecord(read)
      if (record?.kind === 'item') return record.item
    }
    throw new Error('The export has no item.')
  }
  const date = '2026-05-05 07:08:09'
  const more = category('asia') + category('rail')

  const addresses: [path: string, structure: string, parts?: Partial<ItemParts>][] = [
    ['/2026/05/05/item-7/', '/%year%/%monthnum%/%day%/%postname%/'],
    ['/2026/05/item-7', '/%year%/%monthnum%/%postname%'],
    ['/archives/7', '/archives/%post_id%'],
    ['/travel/asia/item-7/', '/%category%/%postname%/'],
    ['/admin/item-7/', '/%author%/%postname%/'],
    ['/2026/item-7.html', '/%year%/%postname%.html'],
    ['/blog/item-7-7/', '/blog/%postname%-%post_id%/', { slug: 'item-7' }],
    ['/index.php/2026/item-7/', '/%year%/%postname%/'],
    ['/2026/05/05/070809/', '/%year%/%monthnum%/%day%/%hour%%minute%%second%/'],
    ['/2026-05-05/item-7/', '/%year%-%monthnum%-%day%/%postname%/'],
    ['/文章/東京/', '/%e6%96%87%e7%ab%a0/%postname%/', { slug: '%e6%9d%b1%e4%ba%ac' }],
    ['/?p=7', ''],
  ]
  for (const [path, structure, parts] of addresses) {
    it(`${path} may be of ${structure || 'plain addresses'}`, async () => {
      const read = await item(`http://old.example${path}`, { date, more, ...parts })
      expect(structuresOf(read, path)).to.include(structure)
    })
  }
})

describe('An import', () => {
  let site: OpenSite
  let report: ImportReport
  const pathOf = async (id: number) => (await site.content.posts.get(id))?.path
  const old = 'http://old.example'

  before(async () => {
    site = await openSite(undefined)
    const posts = [1, 2, 3, 12].map((day) =>
      at(`${old}/2026/01/item-${day}/`, {
        id: 10 + day,
        slug: `item-${day}`,
        date: `2026-01-${String(day).padStart(2, '0')} 03:04:05`,
      }),
    )
    report = await site.import(
      wxrFile([
        ...posts,
        // Its slug looks like a day, and its category is of no matter.
        at(`${old}/2026/01/2025/`, { id: 40, slug: '2025', more: category('rail') }),
        at(`${old}/elsewhere/of-a-plugin/`, { id: 41, slug: 'of-a-plugin' }),
        at(`${old}/item-1/`, { id: 42, type: 'page', slug: 'item-1' }),
        at(`${old}/`, { id: 43, type: 'page', slug: 'welcome' }),
        at(`${old}/books/a-book/`, { id: 44, type: 'book', slug: 'a-book' }),
        at(`${old}/?p=45`, { id: 45, status: 'draft', slug: '' }),
        at(`${old}/2026/01/item-1/`, { id: 46, slug: 'item-1-again' }),
      ]),
    )
  })
  after(() => site.close())

  it('takes the structure over from the links of the export', async () => {
    expect(report.permalinkStructure).to.equal('/%year%/%monthnum%/%postname%/')
    expect(site.content.siteSettings().permalinkStructure).to.equal('/%year%/%monthnum%/%postname%/')
    expect([await pathOf(22), await pathOf(40)]).to.deep.equal(['/2026/01/item-12/', '/2026/01/2025/'])
  })

  it('redirects an address of another form', async () => {
    expect((await site.content.posts.getByFormerPath('/elsewhere/of-a-plugin/'))?.id).to.equal(41)
  })

  it('makes the page at the address of the site the front page', () => {
    expect(site.content.siteSettings()).to.include({ showOnFront: 'page', pageOnFront: 43 })
  })

  it('reports what it kept, redirects and lost', () => {
    expect(report.addresses).to.deep.equal({
      ...{ kept: 6, redirected: 1 },
      lost: [`${old}/books/a-book/`, `${old}/2026/01/item-1/`],
    })
  })

  it('into a site with posts leaves its structure, and redirects', async () => {
    const item = at(`${old}/archives/90`, { id: 90, slug: 'ninety' })
    const second = await site.import(
      wxrFile([item, at(`${old}/archives/11`, { id: 11, slug: 'taken', guid: `${old}/x` })]),
    )
    expect(second.permalinkStructure).to.equal('/%year%/%monthnum%/%postname%/')
    expect((await site.content.posts.getByFormerPath('/archives/90/'))?.id).to.equal(90)
    // Another post has that id here.
    const taken = await site.content.posts.getByPath('/2026/01/taken/')
    expect((await site.content.posts.getByFormerPath('/archives/11/'))?.id).to.equal(taken?.id)
    expect(second.addresses).to.deep.equal({ kept: 0, redirected: 2, lost: [] })
  })
})
