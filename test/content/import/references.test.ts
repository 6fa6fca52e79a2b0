import { expect } from 'chai'
import { idsInText, replaceIds } from '../../../cms/content/import/ids-in-text.ts'
import { readPending } from '../../../cms/content/import/pending.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { type OpenSite, openSite } from './open-site.ts'
import { wxrFile, wxrItem } from './wxr-file.ts'

const HERE = 'http://127.0.0.1:8080'
/** All ids of 11 or 12, as WordPress and its editors write them. */
const TEXTS = [
  '<!-- wp:image {"id":11,"sizeSlug":"large"} --><figure class="wp-block-image"><img src="/a.jpg" class="wp-image-11"/></figure><!-- /wp:image -->',
  '<!-- wp:cover {"url":"/a.jpg","id":11,"dimRatio":50} --><!-- /wp:cover -->',
  '<!-- wp:media-text {"mediaPosition":"right","mediaId":11} --><!-- /wp:media-text -->',
  '<!-- wp:core/file {"id":11,"href":"/a.pdf"} --><!-- /wp:core/file -->',
  '<!-- wp:gallery {"ids":[11,12,"11"],"linkTo":"none"} --><img data-id="11" class="wp-image-11"/><!-- /wp:gallery -->',
  '<!-- wp:block {"ref":12} /-->',
  '<!-- wp:navigation {"ref":12} /-->',
  '<!-- wp:navigation-link {"label":"A","type":"page","id":11,"kind":"post-type"} /-->',
  '<!-- wp:page-list {"parentPageId":11} /-->',
  '[gallery columns="2" ids="11, 12" exclude="12" id="11"] [playlist ids=11,12]',
  '[caption id="attachment_11" align="left"]<a rel="attachment wp-att-11"></a>[/caption]',
  '<figure id="attachment_11" aria-describedby="caption-attachment-11"></figure>',
  `<a href="${HERE}/?p=11">a</a> <a href="${HERE}?page_id=12">b</a> <a href="/?attachment_id=11">c</a>`,
]
const UNTOUCHED = [
  '<!-- wp:navigation-link {"label":"A","type":"category","id":11,"kind":"taxonomy"} /-->',
  '<!-- wp:heading {"level":11} --><!-- wp:plugin/thing {"id":11} /-->',
  '<img src="/wp-content/uploads/wp-image-11.jpg"> <a href="/attachment_11.pdf">11</a> wp-image-11.jpg',
  '[gallery columns="11"] [other ids="11"] <p id="post-11" data-id="11">',
  'http://elsewhere.example/?p=11 /2026/11/12/',
]

describe('ids of posts in a text', () => {
  it('are found and replaced wherever WordPress writes them', () => {
    for (const text of TEXTS) {
      const replaced = replaceIds(text, HERE, (id) => id + 100)
      expect(replaced, text).to.not.match(/(?<![\d])1[12](?![\d])/)
      expect(replaced.replaceAll('111', '11').replaceAll('112', '12'), text).to.equal(text)
    }
    expect([...idsInText(TEXTS.join('\n'), HERE)].sort()).to.deep.equal([11, 12])
  })

  it('are no other numbers', () => {
    for (const text of UNTOUCHED) expect(replaceIds(text, HERE, (id) => id + 100)).to.equal(text)
  })
})

onEachDatabase('An import, where ids are taken', (databaseUrl) => {
  let site: OpenSite
  beforeEach(async () => {
    site = await openSite(await databaseUrl())
  })
  afterEach(() => site.close())

  const find = async (type: string, slug: string) => {
    const { items } = await site.content.posts.query({ types: [type], slugs: [slug], statuses: ['publish', 'inherit'] })
    return items[0]
  }
  const idOf = async (type: string, slug: string) => (await find(type, slug))?.id ?? 0
  const textOf = async (slug: string) => (await find('post', slug))?.content
  const photo = (id: number, meta = {}) => wxrItem({ id, type: 'attachment', status: 'inherit', slug: 'photo', meta })

  it('replaces the ids that texts name, featured images and parents', async () => {
    await site.content.posts.insert({ title: 'Mine', status: 'publish', id: 11 })
    await site.content.posts.insert({ title: 'Mine too', status: 'publish', id: 12 })
    const file = wxrFile([
      // Before and after what it names.
      wxrItem({ id: 20, content: TEXTS.join('\n') + UNTOUCHED.join('\n'), meta: { _thumbnail_id: '11' } }),
      photo(11),
      wxrItem({ id: 12, type: 'wp_block', slug: 'pattern', content: '<!-- wp:image {"id":11} /-->' }),
    ])
    await site.import(file)
    const [image, pattern] = [await idOf('attachment', 'photo'), await idOf('wp_block', 'pattern')]
    expect([image, pattern].some((id) => id === 11 || id === 12 || id === 0)).to.equal(false)
    const here = (id: number) => (id === 11 ? image : id === 12 ? pattern : id)
    expect(await textOf('item-20')).to.equal(
      replaceIds(TEXTS.join('\n').replaceAll(HERE, site.config.url), site.config.url, here) + UNTOUCHED.join('\n'),
    )
    expect((await find('wp_block', 'pattern'))?.content).to.equal(`<!-- wp:image {"id":${image}} /-->`)
    expect(await site.content.meta.get('post', 20, '_thumbnail_id')).to.equal(String(image))
    expect(await find('post', 'item-20')).to.include({ modified: '2026-01-02T03:04:05' })

    expect((await site.content.posts.revisions([20])).size).to.equal(0)
    const before = await site.dump()
    await site.import(file)
    expect(await site.dump()).to.deep.equal(before)
  })

  it('leaves a text that was changed here since', async () => {
    await site.content.posts.insert({ title: 'Mine', status: 'publish', id: 11 })
    await site.import(wxrFile([wxrItem({ id: 20, content: '[gallery ids="11"]' })]))
    await site.content.posts.update(20, { content: '[gallery ids="11"] and mine' })
    await site.import(wxrFile([photo(11)]))
    expect(await textOf('item-20')).to.equal('[gallery ids="11"] and mine')
  })

  it('completes posts of an earlier file with data from a later file of the export', async () => {
    await site.content.posts.insert({ title: 'Mine', status: 'publish', id: 11 })
    const first = wxrFile([
      wxrItem({
        ...{ id: 20, meta: { _thumbnail_id: '11' } },
        content: '[gallery ids="11,13"] <img src="https://cdn.example/bucket/a.jpg" class="wp-image-11">',
      }),
      wxrItem({ id: 21, type: 'page', slug: 'below', parent: 12 }),
      wxrItem({ id: 13, type: 'attachment', status: 'inherit', slug: 'other' }),
    ])
    const report = await site.import(first)
    expect(report.warnings.join()).to.match(/imported without its featured image.*imported without its parent/)
    expect(await textOf('item-20'))
      .to.include('ids="11,13"')
      .and.include('cdn.example')

    const url = '<wp:attachment_url>https://cdn.example/bucket/a.jpg</wp:attachment_url>'
    await site.import(
      wxrFile([
        wxrItem({
          ...{
            id: 11,
            type: 'attachment',
            status: 'inherit',
            slug: 'photo',
            meta: { _wp_attached_file: '2026/a.jpg' },
          },
          more: url,
        }),
        wxrItem({ id: 12, type: 'page', slug: 'above', parent: 0 }),
        // Names what came before, under the id that it has here and under another.
        wxrItem({ id: 30, slug: 'later', content: '[gallery ids="13"]', meta: { _thumbnail_id: '13' } }),
      ]),
    )
    const image = await idOf('attachment', 'photo')
    expect(image).to.not.equal(11)
    expect(await textOf('item-20')).to.equal(
      `[gallery ids="${image},13"] <img src="${site.config.url}/wp-content/uploads/2026/a.jpg" class="wp-image-${image}">`,
    )
    expect(await site.content.meta.get('post', 20, '_thumbnail_id')).to.equal(String(image))
    expect(await site.content.posts.get(21)).to.include({ parentId: 12, path: '/above/below/' })
    expect(await site.content.meta.get('post', 30, '_thumbnail_id')).to.equal('13')

    await site.import(
      wxrFile([wxrItem({ id: 31, slug: 'third', content: '[gallery ids="11"]', meta: { _thumbnail_id: '11' } })]),
    )
    expect(await textOf('third')).to.equal(`[gallery ids="${image}"]`)
    expect(await site.content.meta.get('post', 31, '_thumbnail_id')).to.equal(String(image))
    // Nothing is left to do; the id that the image had is remembered.
    const left = (await readPending(site.database, 'post', 'http://old.example')).map(({ id, oldId }) => [id, oldId])
    expect(left).to.deep.equal([[image, 11]])
  })
})
