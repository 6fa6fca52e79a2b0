import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'chai'
import { sql } from 'kysely'
import type { TestHost } from 'pentad/testing'
import { openSeoSite } from '../seo-site.ts'
import { ask, call, clear } from './redirects-site.ts'

/** As the plugins write them; what is between the rows is theirs. */
const SAMPLES = {
  redirection: [
    'source,target,regex,code,type,hits,title,status',
    '"/old-page","/new-page/",0,301,"url",23,"moved, ""at last""","active"',
    '"/contact-us(/.*)?$","/contact$1",1,302,"url",0,"","active"',
    '"/index.php?page_id=12","/about/",0,301,"url",4,"","disabled"',
    '"/removed","",0,410,"error",0,"","active"',
    '"/random","",0,301,"random",0,"","active"',
    '"/teapot","",0,418,"error",0,"","active"',
  ],
  rankmath: [
    'id,source,matching,destination,type,category,status,ignore',
    '1,old-page,exact,https://example.org/new/,301,,active,case',
    '2,"[{""pattern"":""first"",""comparison"":""exact""},{""pattern"":""^shop/(.*)"",""comparison"":""regex""}]",,/store/$1,302,cats,active,',
    '3,blog,start,/news/,301,,inactive,',
    '4,.php,end,/,301,,active,case',
    '5,gone,exact,,410,,active,',
    '6,unwanted,exact,DELETE,301,,active,',
  ],
  yoast: [
    'Origin,Target,Type,Format',
    '"old-page","new-page/",301,plain',
    '"^year/(\\d{4})/?$","archive/$1",302,regex',
    '"law","",451,plain',
    '"odd","x",303,plain',
  ],
  seopress: [
    'Title;Redirection URL;Redirection Type;Enabled;Parameter;404 Count;Categories;Regex Enabled;Logged Status;Date of Last Request;User Agent;Full Origin',
    'old-page;/new/;301;yes;exact_match;5;;;both;;;',
    'passed?x=1;https://example.org/;307;yes;with_ignored_param;0;;;both;;;',
    '^re/(.*)$;/er/$1;301;;without_param;0;;yes;both;;;',
    'only-one-column',
  ],
  aioseo: [
    'source_url,target_url,type,query_param,regex,enabled,ignore_slash,ignore_case,custom_rules',
    '/old-page,/new/,301,ignore,0,1,1,1,',
    '/Case,/x,308,pass,0,0,1,0,',
    '^/r/(.*),/s/$1,301,exact,1,1,1,1,',
  ],
  slimseo: [
    'Type,Condition,From,To,Note,Enable,Ignore Parameters',
    '301,Exact Match,old-page,/new/,a note,1,1',
    '302,Contain,word,/elsewhere/,,1,0',
    '410,Start With,gone/,,,0,1',
  ],
  generic: [
    'Alte URL\tNeue URL\tStatus',
    '/alt\t/neu\t301',
    '\t\t',
    '/stern/*\t/star/*\t302',
    'https://elsewhere.example/x\t/neu\t301',
    '/bad\t/neu\tabc',
    '/js\tjavascript:alert(1)\t301',
    '/alt/\t/nochmal\t301',
  ],
}

describe('POST seo/v1/redirects/import', () => {
  let site: TestHost

  before(async () => {
    site = await openSeoSite()
  })
  after(() => site.close())
  afterEach(() => clear(site))

  const load = async (csv: string, format = 'auto') =>
    (await call(site, 'POST', '/redirects/import', { csv, format })).data
  const outcome = ({
    imported,
    skipped,
    errors,
  }: {
    imported: number
    skipped: number
    errors: { line: number }[]
  }) => [imported, skipped, errors.map(({ line }) => line)]
  const rules = async () => (await call(site, 'GET', '/redirects?order=asc&perPage=100')).data.items
  const sendFile = async (bytes: Uint8Array, format = 'auto') => {
    const form = new FormData()
    form.set('file', new Blob([Uint8Array.from(bytes)]), 'redirects.csv')
    form.set('format', format)
    const { authorization } = await credentials()
    const answer = await fetch(`${site.url}/wp-json/seo/v1/redirects/import`, {
      method: 'POST',
      body: form,
      headers: { authorization },
    })
    return JSON.parse(await answer.text()).data
  }
  const credentials = async () => {
    const user = await site.host.auth.users.getByLogin('test-administrator')
    const { password } = await site.host.auth.applicationPasswords.create(user?.id ?? 0, `file ${Math.random()}`)
    return { authorization: `Basic ${btoa(`test-administrator:${password}`)}` }
  }

  const EXPECTED = {
    redirection: [4, 0, [6, 7]],
    rankmath: [6, 0, [7]],
    yoast: [3, 0, [5]],
    seopress: [3, 0, [5]],
    aioseo: [3, 0, []],
    slimseo: [3, 0, []],
    generic: [2, 1, [5, 6, 7]],
  }
  for (const [name, lines] of Object.entries(SAMPLES)) {
    for (const format of ['auto', name]) {
      it(`reads what ${name} writes, told ${format}`, async () => {
        const expected = Object.entries(EXPECTED).find(([one]) => one === name)?.[1]
        expect(outcome(await load(lines.join('\r\n'), format))).to.deep.equal(expected)
      })
    }
  }

  it('keeps what those rules meant', async () => {
    await load(SAMPLES.redirection.join('\n'))
    expect((await rules())[0]).to.deep.include({ hits: 23, note: 'moved, "at last"' })
    expect(await ask(site, '/old-page/')).to.equal('301 /new-page/')
    expect(await ask(site, '/contact-us/paris')).to.equal('302 /contact/paris')
    expect(await ask(site, '/removed')).to.equal('410')
    await clear(site)
    await load(SAMPLES.rankmath.join('\n'))
    expect(await ask(site, '/Old-Page')).to.equal('301 https://example.org/new/')
    expect(await ask(site, '/shop/a/b')).to.equal('302 /store/a/b')
    expect(await ask(site, '/blog/x')).to.equal('404')
    expect(await ask(site, '/a/b.php')).to.equal('301 /')
    await clear(site)
    await load(SAMPLES.yoast.join('\n'))
    expect(await ask(site, '/year/2020/')).to.equal('302 /archive/2020')
    expect(await ask(site, '/law')).to.equal('451')
    await clear(site)
    await load(SAMPLES.seopress.join('\n'))
    expect(await ask(site, '/old-page?x=1')).to.equal('404')
    expect(await ask(site, '/passed?x=1&y=2')).to.equal('307 https://example.org/?y=2')
    await clear(site)
    await load(SAMPLES.generic.join('\n'))
    expect(await ask(site, '/stern/a')).to.equal('302 /star/a')
  })

  it('reads what Yoast writes of the home page, of paths without a slash in front, and in other languages', async () => {
    const rows = [
      '"/start","//","301","plain"',
      '"^(old|older)/(.*)$","/new/$2/","301","regex"',
      '"^index\\.php\\?id=(\\d+)$","/n/$1/","301","regex"',
    ]
    for (const header of ['Origin,Target,Type,Format', 'Ursprung,Ziel,Typ,Format']) {
      await clear(site)
      expect(outcome(await load([header, ...rows].join('\n')))).to.deep.equal([3, 0, []])
      expect(await ask(site, '/start/')).to.equal('301 /')
      expect(await ask(site, '/older/bread')).to.equal('301 /new/bread/')
      expect(await ask(site, '/index.php?id=7')).to.equal('301 /n/7/')
    }
  })

  it('refuses rules of Redirection that go by visitor, whose targets its CSV does not have', async () => {
    const [header] = SAMPLES.redirection
    const { errors } = await load(`${header}\n"/members","/unknown",0,301,"url",0,"","active"`)
    expect(errors).to.deep.equal([
      {
        line: 2,
        message: 'Redirects that depend on the visitor, such as on login status or referrer, are not supported.',
      },
    ])
    await call(site, 'POST', '/redirects', { source: '/own', target: '/unknown' })
    const csv = await (
      await site.request('/wp-json/seo/v1/redirects/export?format=csv', { as: 'administrator' })
    ).text()
    await clear(site)
    expect(outcome(await load(csv))).to.deep.equal([1, 0, []])
  })

  it('reads the case of each source of Rank Math, cuts long notes, and says in words what is wrong', async () => {
    const sources = '"[{""pattern"":""upper"",""comparison"":""exact"",""ignore"":""case""}]"'
    const rows = [SAMPLES.rankmath[0], `1,${sources},,/new/,301,,active,`, '2,,exact,/y,301,,active,']
    expect((await load(rows.join('\n'))).errors).to.deep.equal([{ line: 3, message: 'Source: It must not be empty.' }])
    expect(await ask(site, '/UPPER/')).to.equal('301 /new/')
    const [header] = SAMPLES.redirection
    const { imported, errors } = await load(
      `${header}\n/long,/x,0,301,url,0,${'n'.repeat(900)},active\n/c,/x,0,303,url`,
    )
    expect([imported, errors]).to.deep.equal([
      1,
      [{ line: 3, message: 'Status: It must be one of 301, 302, 307, 308, 410, 451.' }],
    ])
  })

  it('reads files without a header, by the place of the columns', async () => {
    expect(outcome(await load('/a,/b\n/c,/d,302\n^/e/(.*),/f/$1'))).to.deep.equal([3, 0, []])
    expect(await ask(site, '/c')).to.equal('302 /d')
    expect(outcome(await load('redirect from,redirect to,code\n/s,/t,307'))).to.deep.equal([1, 0, []])
    expect(await ask(site, '/s')).to.equal('307 /t')
    expect(outcome(await load('/x;/y;0;308', 'redirection'))).to.deep.equal([1, 0, []])
    expect(await ask(site, '/x')).to.equal('308 /y')
    expect(outcome(await load('p,/q,301,yes,exact_match', 'seopress'))).to.deep.equal([1, 0, []])
    expect(await ask(site, '/p')).to.equal('301 /q')
  })

  it('goes on after a row that cannot be read, and names the line on which each begins', async () => {
    const csv = [
      'source,target,code,title',
      '/a,/b,301,"a note',
      'of two lines"',
      '',
      '/c,"/d,301,',
      '/e,/f,301,"x',
      'y"',
      '/g"h,/i,301,',
      '/no-target,,301,',
      '/gone,,410,',
      '/twice,/1,301,',
      '/twice/,/2,301,',
      '=1+1,/x,301,',
      "'=HYPERLINK(1),/x,301,",
    ].join('\n')
    const result = await load(csv)
    expect(outcome(result)).to.deep.equal([7, 1, [5, 9]])
    expect(result.errors[0].message).to.equal('Misplaced quotation mark.')
    expect((await rules()).map(({ source }: { source: string }) => source)).to.include('/=HYPERLINK(1)')
    expect(await ask(site, '/twice')).to.equal('301 /1')
  })

  describe('of files', () => {
    const TEXT = 'source;target;code\r\n/größe;/maß;301\r\n/café;/œuvre;302\r\n'
    const files: Record<string, Uint8Array> = {
      'UTF-8': Buffer.from(TEXT),
      'UTF-8 with its mark': Buffer.from(`\uFEFF${TEXT}`),
      'UTF-16 with its mark': Buffer.from(`\uFEFF${TEXT}`, 'utf16le'),
      'UTF-16 without': Buffer.from(TEXT, 'utf16le'),
      'UTF-16, the other order': Buffer.from(`\uFEFF${TEXT}`, 'utf16le').swap16(),
      'Windows-1252': Buffer.from(TEXT.replace('œ', '\u009c'), 'latin1'),
    }
    for (const [name, bytes] of Object.entries(files)) {
      it(`reads ${name}`, async () => {
        expect(outcome(await sendFile(bytes))).to.deep.equal([2, 0, []])
        expect(await ask(site, '/gr%C3%B6%C3%9Fe')).to.equal('301 /ma%C3%9F')
        expect(await ask(site, '/caf%C3%A9')).to.equal('302 /%C5%93uvre')
      })
    }
  })

  it('takes 10,000 rows, with their errors', async () => {
    const rows = Array.from({ length: 10_000 }, (_, at) =>
      at % 1_000 === 999 ? `/bad-${at},ftp://x,301` : `/old/${at},/new/${at},${at % 2 ? 301 : 308}`,
    )
    const csv = ['source,target,code', ...rows, '/old/5,/again,301'].join('\n')
    const large = await openSeoSite()
    const { data } = await call(large, 'POST', '/redirects/import', { csv })
    expect(outcome(data)).to.deep.equal([9_990, 1, Array.from({ length: 10 }, (_, at) => at * 1_000 + 1_001)])
    expect(await ask(large, '/old/9998')).to.equal('308 /new/9998')
    await large.close()
  })

  it('takes more than a megabyte as JSON too, and others are answered meanwhile', async () => {
    const rules = Array.from({ length: 12_000 }, (_, at) => ({
      ...{ source: `/a-path-of-some-length/${at}`, target: `/another-path-of-some-length/${at}`, note: 'n'.repeat(40) },
    }))
    const large = await openSeoSite()
    let isDone = false
    const importing = call(large, 'POST', '/redirects/import', { rules }).finally(() => {
      isDone = true
    })
    let answered = 0
    for (; !isDone; answered++) await ask(large, '/wp-json/host/v1/health')
    expect((await importing).data).to.deep.equal({ imported: 12_000, skipped: 0, errors: [] })
    // An import that keeps the process to itself lets two to seven through, before and after.
    expect(answered).to.be.greaterThan(15)
    await large.close()
  })

  it('rejects a file without rules', async () => {
    for (const file of ['a\n'.repeat(30_000), 'redirect 301\n'.repeat(30_000), JSON.stringify(Array(30_000).fill(1))]) {
      const { imported, errors } = await load(file)
      expect(imported).to.equal(0)
      expect(errors.length).to.be.within(10_001, 10_501)
      expect(errors.at(-1).message).to.contain('The rest of the file was skipped')
    }
  })

  it('reads other plugins’ JSON', async () => {
    const redirection = {
      groups: [],
      redirects: [
        {
          url: '^/a/(.*)$',
          regex: true,
          action_code: 302,
          action_type: 'url',
          action_data: { url: '/b/$1' },
          match_type: 'url',
          match_data: { source: { flag_query: 'pass', flag_case: true } },
          enabled: true,
          title: 'note',
        },
        { url: '/c', action_type: 'url', action_code: 301, action_data: { url_from: '/x' }, match_type: 'login' },
      ],
    }
    expect(outcome(await load(JSON.stringify(redirection)))).to.deep.equal([1, 0, [2]])
    expect(await ask(site, '/a/x?y=1')).to.equal('302 /b/x?y=1')
    const aioseo = [
      { source_url: '/d', target_url: '/e', type: 301, query_param: 'ignore', regex: false, enabled: true },
    ]
    expect(outcome(await load(JSON.stringify(aioseo)))).to.deep.equal([1, 0, []])
    expect(outcome(await load(JSON.stringify({ '/f/*': '/g/*', '/h': '/i' })))).to.deep.equal([2, 0, []])
    expect(await ask(site, '/f/1')).to.equal('301 /g/1')
    for (const wrong of ['{', '[1, null, "x", {"source": 7}]']) {
      const { imported, errors } = await load(wrong, 'json')
      expect(imported).to.equal(0)
      expect(errors).to.not.deep.equal([])
    }
  })

  it('reads files of Apache and nginx as far as rules can say the same', async () => {
    const apache = `
      # Redirect 301 /comment /x
      RewriteEngine On
      Redirect 301 /one /uno
      redirect permanent "/with space" https://example.org/
      Redirect gone /three
      RedirectMatch 302 ^/four/(.*)\\.html$ /vier/$1
      RewriteRule ^five/(.*)$ /cinq/$1 [R=308,L,QSA]
      RewriteRule . /index.php [L]
      RewriteCond %{HTTPS} off
      RewriteRule ^(.*)$ https://%{HTTP_HOST}/$1 [R=301,L]
    `
    expect(outcome(await load(apache))).to.deep.equal([5, 0, [11]])
    expect(await ask(site, '/with%20space')).to.equal('301 https://example.org/')
    expect(await ask(site, '/three')).to.equal('410')
    expect(await ask(site, '/four/a.html')).to.equal('302 /vier/a')
    expect(await ask(site, '/five/a?b=c')).to.equal('308 /cinq/a?b=c')
    await clear(site)
    const nginx = `
      server {
        rewrite ^/one/(.*)$ /uno/$1? permanent;
        location = /two { return 302 $scheme://$host/dos$is_args$args; }
        location ~* ^/three/ {
          return 410;
        }
        location / { try_files $uri =404; }
        location = /four { return 301 https://$remote_user/; }
      }
    `
    expect(outcome(await load(nginx))).to.deep.equal([3, 0, [9]])
    expect(await ask(site, '/one/x?y=1')).to.equal('301 /uno/x')
    expect(await ask(site, '/two?y=1')).to.equal('302 /dos?y=1')
    expect(await ask(site, '/three/x')).to.equal('410')
  })

  it('lets others have their turn while a long file comes in', async () => {
    const total = 1_100
    const rules = Array.from({ length: total }, (_, at) => ({ source: `/long-${at}`, target: '/x' }))
    let isDone = false
    const done = call(site, 'POST', '/redirects/import', { rules }).finally(() => {
      isDone = true
    })
    const { db } = site.host.database
    const inTable = sql<{ count: number }>`select count(*) as count from seo_redirects`
    const seen = new Set<number>()
    while (!isDone) {
      for (const { count } of (await inTable.execute(db)).rows) seen.add(count)
      await nextTurn()
    }
    expect((await done).data).to.deep.equal({ imported: total, skipped: 0, errors: [] })
    expect([...seen].filter((count) => count > 0 && count < total)).to.not.deep.equal([])
  })

  it('is not kept busy by a line that can be read in many ways', async () => {
    const spaces = ' '.repeat(9_000)
    const lines = [`location = /a {`, `return 301${spaces}x`, 'return 302 /b;', '}']
    expect(outcome(await load(lines.join('\n')))).to.deep.equal([1, 0, []])
    expect(await ask(site, '/a')).to.equal('302 /b')
  })

  it('refuses what says nothing, or names a format that there is not', async () => {
    const nothing = await call(site, 'POST', '/redirects/import', {})
    expect(nothing).to.deep.include({ status: 400, code: 'rest_missing_callback_param' })
    const unknown = await call(site, 'POST', '/redirects/import', { csv: '/a,/b', format: 'excel' })
    expect(unknown).to.deep.include({ status: 400, code: 'rest_invalid_param' })
    expect(await load('')).to.deep.equal({ imported: 0, skipped: 0, errors: [] })
  })
})
