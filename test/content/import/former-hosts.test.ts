import { expect } from 'chai'
import type { ImportReport } from '../../../cms/content/import/index.ts'
import { type OpenSite, openSite } from './open-site.ts'
import { WXR_HEAD, wxrFile, wxrItem } from './wxr-file.ts'

const URL = 'https://new.example'

/** An item of a site at `http://old.example/blog`, and the address at which its guid says that it was published. */
const item = (id: number, type: string, path: string, guid: string, content = '') =>
  wxrItem({ id, type, guid, content, more: `<link>http://old.example/blog${path}</link>` })

/** What a site imports of these items and the text of the last one. */
async function importItems(items: readonly string[]): Promise<{ site: OpenSite; report: ImportReport }> {
  const site = await openSite(undefined, { url: URL })
  const head = WXR_HEAD.replaceAll('http://old.example', 'http://old.example/blog')
  return { site, report: await site.import(wxrFile(items, head)) }
}

describe('A host that the site had before, which guids name by the path of their item', () => {
  const links = (host: string) =>
    ['/?p=11', '/?page_id=12', '/category/news/', '/item-11/'].map((path) => `<a href="${host}${path}">x</a>`).join(' ')

  it('is the site’s: links to it are rewritten', async () => {
    const before = 'http://127.0.0.1:8597/dev'
    const { site, report } = await importItems([
      item(11, 'post', '/2026/01/item-11/', `${before}/item-11/`),
      item(12, 'page', '/item-12/', `${before}/item-12/`),
      item(13, 'page', '/%e6%9d%b1/item-13/', `${before}/%E6%9D%B1/item-13/`),
      item(14, 'post', '/item-14/', `${before}/item-14/`),
      item(15, 'post', '/2026/01/item-15/', `${before}/item-15/`, links(before) + links('http://127.0.0.1:8597')),
    ])
    expect((await site.content.posts.get(15))?.content).to.equal(links(URL) + links('http://127.0.0.1:8597'))
    expect(report.warnings).to.deep.equal([])
    await site.close()
  })

  it('is another site’s where only posts name it, as readers of feeds copy them; the report names it', async () => {
    const other = 'https://news.example'
    const { site, report } = await importItems([
      ...[11, 12, 13].map((id) => item(id, 'post', `/item-${id}/`, `${other}/item-${id}/`)),
      item(14, 'post', '/item-14/', `http://old.example/blog/?p=14`, links(other)),
    ])
    expect((await site.content.posts.get(14))?.content).to.equal(links(other))
    expect(report.warnings).to.deep.equal([
      `Post GUIDs contain the URL ${other}. Links to that URL were not changed. If this site used that URL before, run: pentad search-replace ${other} ${URL}`,
    ])
    await site.close()
  })

  it('is another site’s where the path is another than the item’s, or only few name it', async () => {
    const other = 'https://news.example'
    const { site, report } = await importItems([
      ...[11, 12, 13].map((id) => item(id, 'page', `/item-${id}/`, `${other}/elsewhere-${id}/`)),
      ...[14, 15].map((id) => item(id, 'page', `/item-${id}/`, `${other}/item-${id}/`)),
      item(16, 'post', '/item-16/', `http://old.example/blog/?p=16`, links(other)),
    ])
    expect((await site.content.posts.get(16))?.content).to.equal(links(other))
    expect(report.warnings).to.deep.equal([])
    await site.close()
  })
})
