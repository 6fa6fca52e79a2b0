import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { WxrError } from '../../../cms/content/import/index.ts'
import { createXmlRepair } from '../../../cms/content/import/xml-text.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { temporaryFolder } from '../../support/site-folder.ts'
import { openSite } from './open-site.ts'
import { textFile, WXR_END, WXR_HEAD, wxrFile, wxrItem } from './wxr-file.ts'

const EXPORT = join(import.meta.dirname, '../../fixtures/wordpress-export.xml')

async function errorOf(attempt: Promise<unknown>): Promise<WxrError> {
  const error = await attempt.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof WxrError) return error
  throw new Error('The import did not fail as it should.', { cause: error })
}

onEachDatabase('an import that is interrupted', (databaseUrl) => {
  it('keeps what came before a cut, says the line, and is completed by the whole file', async () => {
    const whole = readFileSync(EXPORT, 'utf8')
    const cut = whole.indexOf('dispatch-9-water-boils')
    const site = await openSite(await databaseUrl())
    const error = await errorOf(site.import(textFile(whole.slice(0, cut + 5000))))
    expect(error.message).to.match(
      /export\.xml, line \d+: the file ends in the middle of <[\w:]+>\. The content before this point was imported/,
    )
    expect(error.line).to.equal(whole.slice(0, cut + 5000).split('\n').length)
    expect(error.report?.posts.post?.added).to.be.within(5, 20)
    const found = await site.content.posts.query({ search: 'khachapuri' })
    expect(found.total).to.be.greaterThan(0)

    await site.import(EXPORT)
    const straight = await openSite(await databaseUrl())
    await straight.import(EXPORT)
    expect(await site.dump()).to.deep.equal(await straight.dump())
    await site.close()
    await straight.close()
  })

  it('reports what a killed import has added as its own, and sets the front page, as if it had never been killed', async () => {
    const front = `<link>http://old.example/</link>`
    const file = wxrFile([
      '<wp:author><wp:author_id>4</wp:author_id><wp:author_login>ann</wp:author_login></wp:author>',
      '<wp:category><wp:term_id>40</wp:term_id><wp:category_nicename>c</wp:category_nicename><wp:cat_name>C</wp:cat_name></wp:category>',
      ...[101, 102, 103].map((id) =>
        wxrItem({
          ...{ id, slug: `item-${id}`, author: 'ann' },
          more: `<link>http://old.example/2026/01/item-${id}/</link>${COMMENT}`,
        }),
      ),
      wxrItem({ id: 200, type: 'page', slug: 'welcome', more: front }),
      wxrItem({ id: 300, type: 'attachment', status: 'inherit', meta: { _wp_attached_file: '2026/01/a.txt' } }),
    ])
    const uploads = temporaryFolder()
    writeFileSync(join(uploads, 'a.txt'), 'a')
    mkdirSync(join(uploads, '2026/01'), { recursive: true })
    writeFileSync(join(uploads, '2026/01/a.txt'), 'a')
    const straight = await openSite(await databaseUrl())
    const expected = await straight.import(file, uploads)
    const dump = await straight.dump()
    await straight.close()
    expect(expected).to.deep.include({ siteTakenOver: true, firstContentRemoved: true })

    const url = await databaseUrl()
    const siteDir = temporaryFolder()
    for (const saves of [1, 4, 2]) await importAndDie({ file, siteDir, url, saves })
    const site = await openSite(url, { siteDir })
    expect(await site.import(file, uploads)).to.deep.equal(expected)
    expect(await site.dump()).to.deep.equal(dump)
    expect(site.content.siteSettings()).to.include({ showOnFront: 'page', pageOnFront: 200 })

    const again = await site.import(file, uploads)
    expect([again.posts.post, again.comments, again.users, again.terms]).to.deep.equal([
      ...[
        { added: 0, existing: 3 },
        { added: 0, existing: 6 },
        { added: 0, existing: 1 },
      ],
      { added: 0, existing: 1 },
    ])
    expect(again.files).to.include({ copied: 0, kept: 2 })
    expect(again).to.deep.include({ siteTakenOver: false, firstContentRemoved: false })
    await site.close()
  })

  it('sets the front page that came after a cut when the whole file is imported', async () => {
    const elements = [
      wxrItem({ id: 101, more: '<link>http://old.example/2026/01/item-101/</link>' }),
      wxrItem({ id: 200, type: 'page', slug: 'welcome', more: '<link>http://old.example/</link>' }),
    ]
    const whole = readFileSync(wxrFile(elements), 'utf8')
    const site = await openSite(await databaseUrl())
    const error = await errorOf(site.import(textFile(whole.slice(0, whole.lastIndexOf('<item>') + 20))))
    expect(error.report?.posts.post).to.deep.equal({ added: 1, existing: 0 })
    const report = await site.import(textFile(whole))
    expect(report.posts).to.deep.equal({ post: { added: 0, existing: 1 }, page: { added: 1, existing: 0 } })
    expect(site.content.siteSettings()).to.include({ showOnFront: 'page', pageOnFront: 200 })
    await site.close()
  })

  it('gives the same site after kill -9 at any moment and a second run', async () => {
    // Children before their parents and images: what is still to be done must survive too.
    const elements = [
      ...Array.from({ length: 25 }, (_, at) =>
        wxrItem({
          id: 100 + at,
          type: 'page',
          slug: 'same',
          parent: 200 + at,
          meta: { _thumbnail_id: '300', list: 'a:1:{i:0;s:1:"x";}' },
          more: COMMENT,
        }),
      ),
      ...Array.from({ length: 25 }, (_, at) => wxrItem({ id: 200 + at, type: 'page' })),
      wxrItem({ id: 300, type: 'attachment', status: 'inherit' }),
    ]
    const terms = ['c', 'b', 'a'].map(
      (
        slug,
        at,
      ) => `<wp:category><wp:term_id>${40 + at}</wp:term_id><wp:category_nicename>${slug}</wp:category_nicename>
        <wp:category_parent>${['b', 'a', ''][at]}</wp:category_parent><wp:cat_name>${slug.toUpperCase()}</wp:cat_name></wp:category>`,
    )
    const file = wxrFile([...terms, ...elements])
    const straight = await openSite(await databaseUrl())
    await straight.import(file)
    const expected = await straight.dump()
    await straight.close()
    expect(JSON.stringify(expected.posts)).to.include('/item-224/same/')
    expect(JSON.stringify([expected.postmeta, expected.termmeta])).to.not.include('_pentad_import')

    const url = await databaseUrl()
    const siteDir = temporaryFolder()
    for (const saves of [1, 3, 20, 30, 10, 5]) await importAndDie({ file, siteDir, url, saves })
    const site = await openSite(url, { siteDir })
    await site.import(file)
    expect(await site.dump()).to.deep.equal(expected)
    await site.close()
  })
})

const COMMENT = [1, 2]
  .map(
    (id) => `<wp:comment><wp:comment_id>${3 - id}</wp:comment_id><wp:comment_author>A${id}</wp:comment_author>
  <wp:comment_date>2026-02-01 10:00:00</wp:comment_date><wp:comment_content>c${id}</wp:comment_content>
  <wp:comment_approved>1</wp:comment_approved><wp:comment_parent>${id === 1 ? 1 : 0}</wp:comment_parent>
  <wp:commentmeta><wp:meta_key>k</wp:meta_key><wp:meta_value>v${id}</wp:meta_value></wp:commentmeta></wp:comment>`,
  )
  .join('')

/** Imports in a process of its own, which kills itself after so many things were stored. */
async function importAndDie(how: {
  file: string
  siteDir: string
  url: string | undefined
  saves: number
}): Promise<void> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'import-and-die.ts'), JSON.stringify(how)], {
    stdio: 'inherit',
  })
  const signal = await new Promise((resolve) => child.once('exit', (_code, by) => resolve(by)))
  expect(signal).to.equal('SIGKILL')
}

describe('an export that is broken or hostile', () => {
  const attempt = async (file: string) => {
    const site = await openSite(undefined)
    try {
      return await errorOf(site.import(file))
    } finally {
      await site.close()
    }
  }

  it('is refused if it is no export', async () => {
    expect((await attempt(textFile('<html><body/></html>'))).message).to.match(
      /is not a WordPress export \(WXR\): it begins with <html>\. Nothing was imported\.$/,
    )
    expect((await attempt(textFile('not XML'))).message).to.match(/line 1: .*not well-formed/)
    expect((await attempt(textFile(''))).message).to.match(/Nothing was imported\.$/)
    expect((await attempt(textFile('<rss><channel><item></item></channel></rss>'))).message).to.match(
      /<wp:wxr_version> is missing/,
    )
  })

  it('names the line of a wrong tag', async () => {
    const file = textFile(`${WXR_HEAD}\n${wxrItem({ id: 1 })}\n<item><title>x</item>${WXR_END}`)
    const { line, report } = await attempt(file)
    expect(line).to.equal(
      readFileSync(file, 'utf8')
        .split('\n')
        .findIndex((text) => text.includes('<title>x<')) + 1,
    )
    expect(report?.posts.post).to.deep.equal({ added: 1, existing: 0 })
  })

  it('is refused where one post would fill the memory', async () => {
    const inOnePost = async (inside: string) =>
      (await attempt(textFile(`${WXR_HEAD}<item>${inside}</item>${WXR_END}`))).message
    expect(await inOnePost('<x/>'.repeat(1_000_001))).to.match(
      /line 4: the file contains a post with more than a million elements/,
    )
    expect(await inOnePost('<x>'.repeat(100))).to.match(/the file nests elements more than 32 levels deep in a post/)
    expect(await inOnePost('x'.repeat(65 * 1024 * 1024))).to.match(/the file contains a post larger than 64 MB/)
  })

  it('never resolves entities of its own', async () => {
    const laughs = Array.from({ length: 9 }, (_, at) => `<!ENTITY lol${at + 1} "${`&lol${at};`.repeat(10)}">`).join('')
    const doctype = `<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY lol0 "lol">${laughs}<!ENTITY file SYSTEM "file:///etc/passwd">]>`
    const item = wxrItem({ id: 7 }).replace('<![CDATA[Item 7]]>', 'x &lol9; &file; &amp; y')
    const site = await openSite(undefined)
    await site.import(textFile(`${doctype}${WXR_HEAD}${item}${WXR_END}`))
    expect((await site.content.posts.get(7))?.title).to.equal('x &lol9; &file; & y')
    await site.close()
  })

  it('is read although WordPress does not escape addresses and keeps control characters', async () => {
    const comment = `<wp:comment><wp:comment_id>1</wp:comment_id><wp:comment_author>A</wp:comment_author>
      <wp:comment_author_url>http://a.example/?a=1&b=2&amp;c</wp:comment_author_url><wp:comment_date>2026-01-01 00:00:00</wp:comment_date>
      <wp:comment_content><![CDATA[a & b &amp; c]]></wp:comment_content><wp:comment_approved>1</wp:comment_approved></wp:comment>`
    const site = await openSite(undefined)
    await site.import(
      wxrFile([wxrItem({ id: 7, title: 'a\u0008b\u0000', content: '&nbsp; & <b>]]></b>', more: comment })]),
    )
    const post = await site.content.posts.get(7)
    expect([post?.title, post?.content]).to.deep.equal(['ab', '&nbsp; & <b>]]></b>'])
    const [first] = await site.content.comments.ofPost(7)
    expect([first?.authorUrl, first?.content]).to.deep.equal(['http://a.example/?a=1&b=2&c', 'a & b &amp; c'])
    await site.close()
  })

  it('is read with blank lines before it, and with ]]> that ends nothing', async () => {
    const site = await openSite(undefined)
    const strays = 'a ]]> b <p>c</p> ]]]> d ]]> <!-- e -->'
    const content = wxrItem({ id: 7, content: 'CONTENT' }).replace('CONTENT', strays)
    const title = wxrItem({ id: 8 })
      .replace('<![CDATA[Item 8]]>', 'x ]]> y')
      .replace(']]></dc:creator>', ']]> </dc:creator>')
    const text = `\n\r\n  \n<?xml version="1.0" encoding="UTF-8" ?>\n${WXR_HEAD}${content}\n]]>\n${title}${WXR_END}\n]]> </b>`
    const report = await site.import(textFile(text))
    expect(report.warnings).to.deep.equal([])
    expect((await site.content.posts.get(7))?.content).to.equal(strays)
    expect((await site.content.posts.get(8))?.title).to.equal('x ]]> y')

    const repaired = (size: number) => {
      const repair = createXmlRepair()
      const parts = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
      return parts.map((part) => repair.write(part)).join('') + repair.end()
    }
    const whole = repaired(text.length)
    expect(whole.split('\n').length).to.equal(text.split('\n').length)
    for (const size of [1, 2, 3, 7, 64, 100]) expect(repaired(size), `${size} at a time`).to.equal(whole)
    await site.close()
  })

  it('is refused where it begins with nothing but blanks; a few of them do not matter', async () => {
    const site = await openSite(undefined)
    const declared = `<?xml version="1.0" encoding="ISO-8859-1"?>${WXR_HEAD}`
    const few = `${'\n'.repeat(5000)}${declared}${wxrItem({ id: 24, title: 'Über' })}${WXR_END}`
    await site.import(textFile(Buffer.from(few, 'latin1')))
    expect((await site.content.posts.get(24))?.title).to.equal('Über')
    // With work that grows faster than their number, the test would not end in time.
    for (const blank of ['\n', ' \u0001', '\u0001', '\u3000']) {
      const { message } = await errorOf(site.import(textFile(`${blank.repeat(5_000_000)}${declared}${WXR_END}`)))
      expect(message).to.match(/: the file begins with more than 65536 blank characters\. Nothing was imported\.$/)
    }
    await site.close()
  })

  it('lets a site answer while it reads an item with very many terms', async () => {
    const site = await openSite(undefined)
    const same = '<category domain="category" nicename="x">X</category>'.repeat(30_000)
    const others = Array.from(
      { length: 1500 },
      (_, at) => `<category domain="constructor" nicename="t${at}">T</category>`,
    )
    // Turns of the event loop between the first and the last of the equal terms.
    let turns = 0
    let timer: NodeJS.Timeout | undefined
    site.hooks.addAction('created_term', (_id, _taxonomyId, taxonomy) => {
      clearInterval(timer)
      if (taxonomy === 'category') timer = setInterval(() => turns++, 1)
    })
    await site.import(wxrFile([wxrItem({ id: 25, more: same + others.join('') })]))
    expect(turns).to.be.greaterThan(1)
    const [category] = (await site.content.terms.query({ taxonomy: 'category', slugs: ['x'] })).items
    expect(category?.count).to.equal(1)
    expect((await site.content.terms.ofPosts([25])).get(25)?.constructor).to.have.length(1500)
    await site.close()
  })

  it('is read in the encoding it says it has, and what is in another one is named', async () => {
    const site = await openSite(undefined)
    const write = (id: number, label: string, encoding: BufferEncoding, mark = '') => {
      const text = `<?xml version="1.0" encoding="${label}"?>${WXR_HEAD}${wxrItem({ id, title: 'Über' })}${WXR_END}`
      return textFile(Buffer.from(mark + text, encoding))
    }
    expect((await site.import(write(21, 'UTF-16', 'utf16le', '\ufeff'))).warnings).to.deep.equal([])
    expect((await site.import(write(22, 'ISO-8859-1', 'latin1'))).warnings).to.deep.equal([])
    expect((await site.import(write(23, 'UTF-8', 'latin1'))).warnings.join()).to.match(
      /“\ufffdber” contains unreadable characters/,
    )
    const posts = await site.content.posts.getMany([21, 22, 23])
    expect([...posts.values()].map(({ title }) => title)).to.deep.equal(['Über', 'Über', '\ufffdber'])
    await site.close()
  })

  it('is read in a bounded part of memory', async () => {
    const { code, items } = await readInLittleMemory(96, 80, 'read')
    expect([code, items]).to.deep.equal([0, 80 * 16])
  })

  it('leaves nothing of its texts in memory, although files and addresses that they name are noted', async () => {
    const { code, items } = await readInLittleMemory(96, 120, 'import')
    expect([code, items]).to.deep.equal([0, 120 * 16])
  })
})

/** Reads or tries to import an export of so many megabytes in a process with so little memory; answers how many items it saw. */
async function readInLittleMemory(
  memory: number,
  megabytes: number,
  how: 'read' | 'import',
): Promise<{ code: number | null; items: number }> {
  const script = join(import.meta.dirname, 'read-large.ts')
  const child = spawn(process.execPath, [
    `--max-old-space-size=${memory}`,
    script,
    temporaryFolder(),
    String(megabytes),
    how,
  ])
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve))
  return { code, items: Number(output) }
}
