import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { ZipArchive } from 'archiver'
import { expect } from 'chai'
import { temporaryFolder } from '../../support/site-folder.ts'
import { type OpenSite, openSite } from './open-site.ts'
import { textFile, WXR_END, WXR_HEAD, wxrFile, wxrItem } from './wxr-file.ts'

describe('an export in archives and parts', () => {
  let site: OpenSite
  before(async () => {
    site = await openSite(undefined)
  })
  after(() => site.close())

  const write = (name: string, bytes: Buffer | string) => {
    const file = join(temporaryFolder(), name)
    writeFileSync(file, bytes)
    return file
  }
  async function zip(entries: Readonly<Record<string, string | Buffer>>): Promise<string> {
    const archive = new ZipArchive({ zlib: { level: 9 } })
    for (const [name, text] of Object.entries(entries)) archive.append(text, { name })
    const bytes = buffer(archive)
    await archive.finalize()
    return write('export.zip', await bytes)
  }
  const messageOf = (attempt: Promise<unknown>) =>
    attempt.then(
      () => '',
      (error: Error) => error.message,
    )
  const text = (...items: string[]) => `<?xml version="1.0" encoding="UTF-8"?>${WXR_HEAD}${items.join('')}${WXR_END}`

  it('is read from gzip and zip', async () => {
    const progress: number[] = []
    const file = write('export.xml.gz', gzipSync(text(wxrItem({ id: 101, title: 'In gzip' }))))
    await site.import(file, undefined, ({ phase, percent }) => {
      if (phase === 'read') progress.push(percent)
    })
    expect(progress).to.deep.equal([80])
    const stored = new ZipArchive({ store: true })
    stored.append(text(wxrItem({ id: 102, title: 'Stored' })), { name: 'a.xml' })
    const bytes = buffer(stored)
    await stored.finalize()
    await site.import(write('stored.zip', await bytes))
    const posts = await site.content.posts.getMany([101, 102])
    expect([...posts.values()].map(({ title }) => title)).to.deep.equal(['In gzip', 'Stored'])
  })

  it('is put together from the parts of one that was split: parents, images and media in other parts', async () => {
    const [image, url] = ['2020/01/a.jpg', 'https://cdn.example/x/a.jpg']
    const first = text(wxrItem({ id: 110, type: 'page', parent: 111, content: url, meta: { _thumbnail_id: '112' } }))
    const attachment = wxrItem({ id: 112, type: 'attachment', status: 'inherit', meta: { _wp_attached_file: image } })
    const second = text(
      wxrItem({ id: 111, type: 'page', slug: 'above' }),
      attachment.replace('<wp:post_id>', `<wp:attachment_url>${url}</wp:attachment_url><wp:post_id>`),
    )
    const archive = await zip({
      'blog.001.xml': second,
      'blog.000.xml': first,
      '__MACOSX/._x.xml': 'no',
      'read.me': 'no',
    })
    const report = await site.import(archive)
    expect(report.warnings).to.deep.equal([])
    expect(report.posts.page).to.deep.equal({ added: 2, existing: 0 })
    const page = await site.content.posts.get(110)
    expect(page).to.deep.include({ parentId: 111, path: '/above/item-110/' })
    expect(page?.content).to.match(/\/wp-content\/uploads\/2020\/01\/a\.jpg$/)
    expect(await site.content.meta.get('post', 110, '_thumbnail_id')).to.equal('112')
    const again = await site.import([textFile(first), textFile(second)])
    expect(again.posts.page).to.deep.equal({ added: 0, existing: 2 })
  })

  it('is refused with the file that is wrong', async () => {
    const other = text(wxrItem({ id: 121 })).replaceAll('http://old.example', 'http://other.example')
    const two = [wxrFile([wxrItem({ id: 120 })]), write('other.xml', other)]
    expect(await messageOf(site.import(two))).to.match(
      /other\.xml, line \d+: the file belongs to another site, http:\/\/other\.example\. The content before this point was imported: 1 post, .*\. Import this file separately\.$/,
    )
    expect(await messageOf(site.import(two, undefined, undefined, undefined, true))).to.match(
      /\. Nothing was changed by the dry run\. An import would stop here, after 1 post, .*\. Import this file separately\.$/,
    )
    expect(await messageOf(site.import(write('empty.xml', '')))).to.match(
      /empty\.xml: the file is empty\. Nothing was imported\.$/,
    )
    expect(await site.content.posts.get(120)).to.deep.include({ title: 'Item 120' })
    expect(await site.content.posts.get(121)).to.equal(undefined)

    const packed = gzipSync(
      text(...Array.from({ length: 60 }, (_, at) => wxrItem({ id: 200 + at, content: `${at * 7919}` }))),
    )
    expect(await messageOf(site.import(write('cut.gz', packed.subarray(0, packed.length / 2))))).to.match(
      /cut\.gz: the file is damaged/,
    )
    const archive = await zip({ 'a.xml': text(wxrItem({ id: 130 })), 'b.txt': 'x' })
    expect(await messageOf(site.import(await zip({ 'b.txt': 'x' })))).to.match(
      /is an archive that contains no XML file/,
    )
    const bytes = readFileSync(archive)
    for (const length of [10, 200, bytes.length - 30])
      expect(await messageOf(site.import(write('cut.zip', bytes.subarray(0, length))))).to.match(
        /cut\.zip: the file is damaged/,
      )
    const changed = Buffer.from(bytes)
    const end = changed.lastIndexOf('PK\x01\x02', changed.lastIndexOf('PK\x01\x02') - 1)
    changed.writeUInt32LE(1, end + 16)
    expect(await messageOf(site.import(write('changed.zip', changed)))).to.match(/a\.xml: the file is damaged/)
  })

  it('is refused where it unpacks to far more than it is', async () => {
    const bomb = Buffer.concat([Buffer.from(text().replace(WXR_END, '')), Buffer.alloc(70 * 1024 * 1024, ' ')])
    expect(await messageOf(site.import(write('bomb.gz', gzipSync(bomb))))).to.match(
      /expands to more than 200 times its size/,
    )
  })
})
