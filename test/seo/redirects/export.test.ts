import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { openSeoSite } from '../seo-site.ts'
import { ask, call, clear, make } from './redirects-site.ts'

const RULES = [
  { source: '/plain', target: '/new/' },
  { source: '/wörter/mit leer', target: 'https://bücher.example/ä?q=1&b=2#c', note: '=HYPERLINK("http://evil")' },
  { source: '/index.php?p=7&a=b', target: '/seven', query: 'exact', hits: 12 },
  { source: '/pass', target: '/z?own=1', query: 'pass', status: 302, note: 'two\nlines; "quoted", and \'more' },
  { source: '/blog/*', target: '/news/*', match: 'wildcard', status: 307 },
  { source: '/UPPER', target: '/Up', caseSensitive: true, enabled: false, note: "'=already neutral" },
  { source: '^/contact-us(/.*)?$', target: '/contact$1', match: 'regex', status: 308 },
  { source: '^/index\\.php\\?id=(\\d{1,3})$', target: '/item/$1', match: 'regex', query: 'exact' },
  { source: '-[ab]|"q"|it\'s;#$', target: '/x/$$1', match: 'regex', note: '@SUM(A1)' },
  { source: '/gone', target: '', status: 410, note: '+1' },
  { source: '/a%2Fb/%2520', target: '/100%25', status: 451 },
]

describe('GET seo/v1/redirects/export', () => {
  let site: TestHost

  before(async () => {
    site = await openSeoSite()
  })
  after(() => site.close())
  afterEach(() => clear(site))

  const stored = async (): Promise<object[]> => {
    const { data } = await call(site, 'GET', '/redirects/export')
    return data.rules.map(({ id, ...rule }: { id: number }) => {
      expect(id).to.be.a('number')
      return rule
    })
  }
  const file = async (format: string) => {
    const answer = await site.get(`/wp-json/seo/v1/redirects/export?format=${format}`, { as: 'administrator' })
    return { answer, text: await answer.text() }
  }
  const withoutTimes = (rules: readonly object[]) =>
    rules.map((rule) => ({ ...rule, createdAt: undefined, lastHitAt: undefined }))

  for (const format of ['json', 'csv', 'htaccess', 'nginx']) {
    for (const name of ['auto', format === 'csv' ? 'redirection' : format]) {
      it(`as ${format} imports again as it was, read as ${name}`, async () => {
        expect((await call(site, 'POST', '/redirects/import', { rules: RULES })).data).to.deep.include({
          imported: RULES.length,
          errors: [],
        })
        const before = await stored()
        const { text } = await file(format)
        await clear(site)
        const { data } = await call(site, 'POST', '/redirects/import', { csv: text, format: name })
        expect(data).to.deep.equal({ imported: RULES.length, skipped: 0, errors: [] })
        // Redirection's columns hold no times.
        const keep = format === 'csv' ? withoutTimes : (rules: readonly object[]) => rules
        expect(keep(await stored())).to.deep.equal(keep(before))
      })
    }
  }

  it('as JSON is what the import takes as its body', async () => {
    await make(site, '/a', '/b', { note: 'n' })
    const { data } = await call(site, 'GET', '/redirects/export?format=json')
    const again = await call(site, 'POST', '/redirects/import', data)
    expect(again.data).to.deep.equal({ imported: 0, skipped: 1, errors: [] })
  })

  it('as CSV has Redirection’s columns, and no cell that a spreadsheet runs', async () => {
    await make(site, '/a', '/b')
    await make(site, '/c', '', { status: 410, note: '=cmd|x' })
    const { answer, text } = await file('csv')
    expect(answer.headers.get('content-type')).to.equal('text/csv; charset=UTF-8')
    expect(answer.headers.get('content-disposition')).to.equal('attachment; filename="redirects.csv"')
    expect(text).to.equal(
      "source,target,regex,code,type,hits,title,status\n/a,/b,0,301,url,0,,active\n/c,,0,410,error,0,'=cmd|x,active\n",
    )
    await make(site, '/*/d', '/e', { match: 'wildcard' })
    expect((await file('csv')).text.split('\n')[0]).to.equal(
      'source,target,regex,code,type,hits,title,status,match,query,caseSensitive',
    )
  })

  it('is imported with manual changes to a server’s file', async () => {
    await make(site, '/a', '/b')
    await make(site, '^/p/(.*)$', '/q/$1', { match: 'regex' })
    const { text } = await file('htaccess')
    await clear(site)
    const csv = text.replace('"/q/%1"', '"/changed/%1"').concat('Redirect 301 /added /x\n')
    const { data } = await call(site, 'POST', '/redirects/import', { csv })
    expect(data).to.deep.equal({ imported: 3, skipped: 0, errors: [] })
    expect(await ask(site, '/a')).to.equal('301 /b')
    expect(await ask(site, '/p/x')).to.equal('301 /changed/x')
    expect(await ask(site, '/added')).to.equal('301 /x')
  })
})
