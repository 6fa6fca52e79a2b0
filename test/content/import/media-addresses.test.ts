import { expect } from 'chai'
import { createAddresses } from '../../../cms/content/addresses.ts'
import { withMedia } from '../../../cms/content/import/media-addresses.ts'
import { createMediaMap } from '../../../cms/content/import/media-map.ts'

const NEW = 'https://new.example/wp-content/uploads'

function mapped(siteUrls: readonly string[], files: Readonly<Record<string, readonly string[]>> = {}) {
  const media = createMediaMap(siteUrls)
  for (const [file, urls] of Object.entries(files)) media.add(file, urls)
  const named = new Map<string, string>()
  const { inText } = withMedia(createAddresses(siteUrls, 'https://new.example'), media, {
    siteUrl: 'https://new.example',
    onFile: ({ file, source }) => named.set(file, source),
  })
  return { inText, named, media }
}

describe('URLs of media in what is imported', () => {
  const { inText, named } = mapped(['http://old.example'], {
    '2020/01/photo.jpg': ['http://old.example/wp-content/uploads/2020/01/photo.jpg'],
    '2020/04/big-scaled.jpg': [
      'http://old.example/wp-content/uploads/2020/04/big.jpg',
      'http://old.example/wp-content/uploads/2020/04/big-scaled.jpg',
    ],
    '2019/05/offloaded.jpg': ['https://bucket.s3.example/media/2019/05/12345/offloaded.jpg'],
    '2018/02/renamed-1.png': [
      'https://cdn.example:8443/x/renamed.png',
      'http://older.example/files/2018/02/renamed-1.png',
    ],
    '2017/03/Обложка-книги.jpg': [
      'http://old.example/wp-content/uploads/2017/03/%D0%9E%D0%B1%D0%BB%D0%BE%D0%B6%D0%BA%D0%B0-%D0%BA%D0%BD%D0%B8%D0%B3%D0%B8.jpg',
    ],
  })

  it('are mapped whatever host, scheme, size, query string or encoding they have', () => {
    const cases: Record<string, string> = {
      'http://old.example/wp-content/uploads/2020/01/photo.jpg': '2020/01/photo.jpg',
      'https://www.OLD.example/wp-content/uploads/2020/01/photo-300x200.jpg': '2020/01/photo-300x200.jpg',
      '//old.example/wp-content/uploads/2020/01/photo-scaled.jpg': '2020/01/photo-scaled.jpg',
      'http://old.example/wp-content/uploads/2020/01/photo-e1579000000000-150x150.jpg?v=2&amp;w=3':
        '2020/01/photo-e1579000000000-150x150.jpg',
      'https://i0.wp.com/old.example/wp-content/uploads/2020/01/photo.jpg?resize=300%2C200&#038;ssl=1':
        '2020/01/photo.jpg',
      'https://i2.wp.com/www.old.example/wp-content/uploads/2020/01/photo.jpg?fit=300,200': '2020/01/photo.jpg',
      'http://old.example/wp-content/uploads/2020/04/big.jpg': '2020/04/big.jpg',
      'http://old.example/wp-content/uploads/2020/04/big-1024x683.jpg': '2020/04/big-1024x683.jpg',
      'https://bucket.s3.example/media/2019/05/12345/offloaded.jpg': '2019/05/offloaded.jpg',
      'https://bucket.s3.example/media/2019/05/12345/offloaded-768x512.jpg': '2019/05/offloaded-768x512.jpg',
      'https://cdn.example:8443/x/renamed.png': '2018/02/renamed-1.png',
      'https://cdn.example:8443/x/renamed-300x200.png': '2018/02/renamed-1-300x200.png',
      'http://older.example/files/2018/09/other.pdf': '2018/09/other.pdf',
      'http://old.example/wp-content/uploads/sites/3/2020/01/of-network.mp4': '2020/01/of-network.mp4',
      'http://old.example/wp-content/blogs.dir/7/files/2010/01/older.mp3': '2010/01/older.mp3',
      'http://old.example/files/2010/01/blogs.gif': '2010/01/blogs.gif',
      'http://old.example/images/logo.png': 'images/logo.png',
      'http://old.example/wp-content/uploads/2017/03/Обложка-книги.jpg': '2017/03/Обложка-книги.jpg',
      'http://old.example/wp-content/uploads/2017/03/%D0%9E%D0%B1%D0%BB%D0%BE%D0%B6%D0%BA%D0%B0-%D0%BA%D0%BD%D0%B8%D0%B3%D0%B8-300x200.jpg':
        '2017/03/Обложка-книги-300x200.jpg',
    }
    for (const [url, file] of Object.entries(cases)) {
      const local = `${NEW}/${file.split('/').map(encodeURIComponent).join('/')}`
      expect(inText(`<img src="${url}">`), url).to.equal(`<img src="${local}">`)
      expect([...named.keys()], url).to.include(file)
    }
    expect(named.get('2020/01/photo-300x200.jpg')).to.equal(
      'https://www.OLD.example/wp-content/uploads/2020/01/photo-300x200.jpg',
    )
  })

  it('are mapped wherever they occur', () => {
    const old = 'http://old.example/wp-content/uploads/2020/01/photo'
    const now = `${NEW}/2020/01/photo`
    const cases: [string, string][] = [
      [
        `srcset="${old}-300x200.jpg 300w, ${old}.jpg?w=9 600w,${old}-1.jpg"`,
        `srcset="${now}-300x200.jpg 300w, ${now}.jpg 600w,${now}-1.jpg"`,
      ],
      [`style="background:url(${old}.jpg)"`, `style="background:url(${now}.jpg)"`],
      [`url(&quot;${old}.jpg?a=1&quot;)`, `url(&quot;${now}.jpg&quot;)`],
      [`[video mp4='${old}.mp4'] [audio ${old}.mp3]`, `[video mp4='${now}.mp4'] [audio ${now}.mp3]`],
      [`See ${old}.pdf.\n${old}.jpg\n`, `See ${now}.pdf.\n${now}.jpg\n`],
      [`<a href="${old}.pdf#page=2">`, `<a href="${now}.pdf#page=2">`],
      [`{"url":"${old.replaceAll('/', '\\/')}.jpg"}`, `{"url":"${now.replaceAll('/', '\\/')}.jpg"}`],
      [
        `<!-- wp:file {"href":"${old}\\u002d\\u002da.jpg?w=1\\u0026h=2","t":"\\u0022${old}.jpg\\u0022"} /-->`,
        `<!-- wp:file {"href":"${now}\\u002d\\u002da.jpg","t":"\\u0022${now}.jpg\\u0022"} /-->`,
      ],
    ]
    for (const [before, after] of cases) expect(inText(before)).to.equal(after)
  })

  it('of others stay, and so do addresses that are no files', () => {
    const others = [
      'https://other.example/wp-content/uploads/2020/01/photo.jpg',
      'https://i0.wp.com/other.example/photo.jpg',
      'https://bucket.s3.example/another/photo.jpg',
      'https://web.archive.org/web/2020/http://old.example/wp-content/uploads/2020/01/photo.jpg',
      'http://old.example.evil.example/wp-content/uploads/2020/01/photo.jpg',
    ]
    for (const url of others) expect(inText(`<img src="${url}">`)).to.equal(`<img src="${url}">`)
    expect(inText('http://old.example/2020/01/photo.jpg/')).to.equal('https://new.example/2020/01/photo.jpg/')
    expect(inText('http://old.example/wp-content/uploads/2020/01/shell.php')).to.equal(`${NEW}/2020/01/shell.php`)
    expect(inText('http://old.example/wp-content/uploads/%2e%2e/%2e%2e/options.json')).to.not.contain('old.example')
    expect([...named.keys()].filter((file) => /shell|options|\.\./.test(file))).to.deep.equal([])
  })

  it('of WordPress.com are known by the address of the site', () => {
    const { inText: map } = mapped(['https://blog.wordpress.com'])
    expect(map('https://blog.files.wordpress.com/2012/01/a.jpg?w=300&h=200')).to.equal(`${NEW}/2012/01/a.jpg`)
    expect(map('https://i1.wp.com/blog.files.wordpress.com/2012/01/a.jpg')).to.equal(`${NEW}/2012/01/a.jpg`)
    expect(map('https://other.files.wordpress.com/2012/01/a.jpg')).to.contain('other.files')
  })

  it('leave text that PHP serialized readable', () => {
    const serialized = (url: string) => `O:8:"stdClass":1:{s:3:"url";s:${url.length}:"${url}";}`
    const old = 'https://bucket.s3.example/media/2019/05/12345/offloaded.jpg'
    expect(inText(serialized(old))).to.equal(serialized(`${NEW}/2019/05/offloaded.jpg`))
  })

  it('are found in linear time', () => {
    const hostile = [
      '//a'.repeat(200_000),
      `//${'a.'.repeat(300_000)}`,
      `//old.example${'/\\'.repeat(300_000)}`,
      '\\'.repeat(600_000),
    ]
    for (const text of hostile) expect(inText(`${text}?`).length).to.be.greaterThan(1000)
    expect(inText(`http://old.example/a.jpg?${'&'.repeat(600_000)}`).length).to.equal(`${NEW}/a.jpg`.length)
  })
})
