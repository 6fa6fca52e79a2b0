import { expect } from 'chai'
import { type PageUnderTest, startPage } from './page-under-test.ts'

const CDN = 'https://cdn.example'

describe('Files from a CDN (cdnUrl)', () => {
  let page: PageUnderTest
  before(async () => {
    page = await startPage({ cdnUrl: `${CDN}/` })
  })
  after(() => page.close())

  it('fetches files of the site from there, however their address is written', async () => {
    const { url } = page.host
    const { host } = new URL(url)
    for (const address of [
      '/wp-content/uploads/a.jpg?v=1#x',
      `${url}/wp-content/uploads/a.jpg?v=1#x`,
      `//${host}/wp-content/uploads/a.jpg?v=1#x`,
    ])
      expect(await page.show(`<img src="${address}">`)).to.include(`<img src="${CDN}/wp-content/uploads/a.jpg?v=1#x">`)
  })

  it('never contain credentials, a query or a fragment', async () => {
    const set = async (cdnUrl: string) =>
      (
        await page.host.request('/wp-json/speed/v1/settings', {
          method: 'PUT',
          as: 'administrator',
          body: { settings: { cdnUrl } },
        })
      ).status
    for (const url of ['https://user:secret@cdn.example', 'https://cdn.example/?key=1', 'https://cdn.example/#a'])
      expect(await set(url), url).to.equal(400)
    expect(await set('https://cdn.example/gh/site@2/')).to.equal(200)
    expect(await set(`${CDN}/`)).to.equal(200)
  })

  const moved: Record<string, [before: string, after: string]> = {
    'every candidate of a srcset': [
      '<img srcset="/wp-content/a,b.jpg 1x, data:image/png;base64,AA== 2x, https://other.example/c.jpg 3x">',
      `<img srcset="${CDN}/wp-content/a,b.jpg 1x, data:image/png;base64,AA== 2x, https://other.example/c.jpg 3x">`,
    ],
    'sources and posters': [
      '<video poster="/wp-content/p.jpg"><source src="/wp-content/v.mp4"></video>',
      `<video poster="${CDN}/wp-content/p.jpg"><source src="${CDN}/wp-content/v.mp4"></video>`,
    ],
    'style sheets, preloads and icons': [
      '<link rel="stylesheet" href="/wp-content/s.css"><link rel="preload" as="font" href="/wp-content/f.woff2" crossorigin><link rel="icon" href="/wp-content/i.svg">',
      `<link rel="stylesheet" href="${CDN}/wp-content/s.css"><link rel="preload" as="font" href="${CDN}/wp-content/f.woff2" crossorigin><link rel="icon" href="${CDN}/wp-content/i.svg">`,
    ],
    'fonts, asked for without cookies': [
      '<link rel="preload" as="font" href="/wp-content/f.woff2">',
      `<link crossorigin rel="preload" as="font" href="${CDN}/wp-content/f.woff2">`,
    ],
    scripts: ['<script src="/wp-content/s.js"></script>', `<script src="${CDN}/wp-content/s.js"></script>`],
    'addresses in styles': [
      `<p style="background:url(/wp-content/b.png)"></p><style>.a{background:url( "/wp-content/c.png" )} /* url(/wp-content/d.png) */ .b{content:"url(/wp-content/e.png)"}</style>`,
      `<p style="background:url(&quot;${CDN}/wp-content/b.png&quot;)"></p><style>.a{background:url("${CDN}/wp-content/c.png")} /* url(/wp-content/d.png) */ .b{content:"url(/wp-content/e.png)"}</style>`,
    ],
  }
  for (const [what, [before, after]] of Object.entries(moved)) {
    it(`moves ${what}`, async () => expect(await page.show(before)).to.include(`<body>${after}</body>`))
  }

  const stays: Record<string, string> = {
    'pages and downloads':
      '<a href="/wp-content/uploads/a.pdf">A</a><a href="/about/">B</a><iframe src="/wp-content/x.html"></iframe>',
    'what a browser takes from the site only':
      '<script type="module" src="/wp-content/m.js"></script><script src="/wp-content/uploads/speed/scripts/serviceworker.js"></script><link rel="manifest" href="/wp-content/m.json"><svg><use href="/wp-content/i.svg#a"></use></svg>',
    'what scripts read': '<img data-src="/wp-content/a.jpg"><script>const a = "/wp-content/a.jpg"</script>',
    'other addresses':
      '<img src="/logo.png"><img src="https://other.example/wp-content/a.jpg"><img src="data:image/gif;base64,AA==">',
    'what is protected':
      '<div data-no-optimize style="background:url(/wp-content/a.png)"><img src="/wp-content/a.jpg"></div>',
  }
  for (const [what, html] of Object.entries(stays)) {
    it(`leaves ${what}`, async () => expect(await page.show(html)).to.include(`<body>${html}</body>`))
  }

  it('leaves what is excluded', async () => {
    await page.set({ optimizationExclusions: ['/secret/'] })
    expect(await page.show('<img src="/wp-content/secret/a.jpg">')).to.include('src="/wp-content/secret/a.jpg"')
  })
})
