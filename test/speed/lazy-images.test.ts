import { expect } from 'chai'
import { type PageUnderTest, startPage } from './page-under-test.ts'
import { jpeg, picture } from './pictures.ts'

describe('Images load when they are needed', () => {
  let page: PageUnderTest
  let photo: string
  /** The tag of the image with this `alt`. */
  const image = (html: string, alt: string) => new RegExp(`<img[^>]* ?alt="${alt}"[^>]*>`).exec(html)?.[0] ?? ''
  const tag = (alt: string, more = '') => `<img src="${photo}"${more} alt="${alt}">`

  before(async () => {
    page = await startPage({ lazyImages: 'on' })
    photo = await page.upload('2026/01/photo.jpg', await jpeg(640, 480))
  })
  after(() => page.close())

  it('writes the size of a file on an image that has none', async () => {
    const html = await page.show(tag('a'))
    expect(image(html, 'a')).to.include('width="640"').and.include('height="480"')
    expect(html).to.include(':where(img[data-sized]){height:auto}')
  })

  it('takes the size of a file that another process has replaced, once the purge has arrived', async () => {
    const url = await page.upload('replaced.jpg', await jpeg(640, 480))
    const shown = `<img src="${url}" alt="r">`
    expect(image(await page.show(shown), 'r')).to.include('width="640"')
    await page.upload('replaced.jpg', await jpeg(320, 480))
    const purge = { scope: 'pages', urls: [], tags: [], reason: 'A file was replaced.' } as const
    page.host.host.hooks.applyFilters('purge_urls', [], purge, false, true)
    expect(image(await page.show(shown), 'r')).to.include('width="320"')
  })

  it('completes one side with the other', async () => {
    expect(image(await page.show(tag('a', ' width="320"')), 'a')).to.include('height="240"')
  })

  it('turns the size of a photo as its camera was turned', async () => {
    const turned = await picture(400, 300).withMetadata({ orientation: 6 }).jpeg().toBuffer()
    const url = await page.upload('turned.jpg', turned)
    expect(image(await page.show(`<img src="${url}" alt="t">`), 't'))
      .to.include('width="300"')
      .and.include('height="400"')
  })

  it('takes the size of a drawing from its view box', async () => {
    const url = await page.upload(
      'drawing.svg',
      '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 60"/>',
    )
    expect(image(await page.show(`<img src="${url}" alt="d">`), 'd'))
      .to.include('width="120"')
      .and.include('height="60"')
  })

  it('leaves sizes alone that a style sheet or the author decides', async () => {
    const html = await page.show(
      `${tag('logo', ' class="logo"')}${tag('styled', ' style="height:40px"')}${tag('half', ' width="50%"')}${tag('own', ' width="10" height="10"')}`,
      '<style>.logo{height:40px}</style>',
    )
    expect(image(html, 'logo')).not.to.match(/ (?:width|height)=/)
    expect(image(html, 'styled')).not.to.match(/ (?:width|height)=/)
    expect(image(html, 'half')).not.to.include(' height=')
    expect(image(html, 'own')).to.include('width="10"').and.include('height="10"')
  })

  it('puts the first image first, and makes those below the view lazy', async () => {
    const html = await page.show(['one', 'two', 'three', 'four', 'five'].map((alt) => tag(alt)).join('\n'))
    expect(image(html, 'one')).to.include('fetchpriority="high"').and.not.include('loading')
    for (const alt of ['two', 'three']) expect(image(html, alt)).not.to.match(/loading|fetchpriority/)
    for (const alt of ['four', 'five'])
      expect(image(html, alt)).to.include('loading="lazy"').and.include('decoding="async"')
  })

  it('does not take an icon for the image that visitors wait for', async () => {
    const icon = await page.upload('icon.png', await picture(96, 96).png().toBuffer())
    const html = await page.show(`<img src="${icon}" alt="icon">${tag('photo')}`)
    expect(image(html, 'icon')).not.to.include('fetchpriority')
    expect(image(html, 'photo')).to.include('fetchpriority="high"')
  })

  it('respects what the author says of loading', async () => {
    const many = ['b', 'c', 'd'].map((alt) => tag(alt)).join('')
    const html = await page.show(
      `${tag('a', ' loading="lazy"')}${many}${tag('e', ' loading="eager"')}${tag('f', ' class="skip-lazy"')}`,
    )
    expect(html).not.to.include('fetchpriority')
    expect(image(html, 'e')).to.include('loading="eager"')
    expect(image(html, 'f')).not.to.include('loading')
    expect((await page.show(tag('a') + tag('b', ' fetchpriority="high"'))).match(/fetchpriority/g)).to.have.length(1)
  })

  it('leaves alone what is protected, excluded, or no image of the page', async () => {
    await page.set({ optimizationExclusions: ['/private-'] })
    const body = `<div data-no-optimize>${tag('a')}</div><noscript>${tag('b')}</noscript><template>${tag('c')}</template>
      <script>const html = '<img src="${photo}" alt="d">'</script><script type="application/json">"<img src='${photo}'>"</script>
      <textarea><img src="${photo}"></textarea><img src="/private-1.jpg" alt="e"><!-- <img src="${photo}"> -->`
    expect(await page.show(body)).to.include(body)
    await page.set({ optimizationExclusions: [] })
  })

  it('makes frames below the view lazy, but none that works unseen', async () => {
    const photos = ['a', 'b', 'c'].map((alt) => tag(alt)).join('')
    const html = await page.show(
      `${photos}<iframe src="https://video.example/1"></iframe><iframe src="https://pixel.example/" width="1" height="1"></iframe><iframe src="https://auth.example/" style="display: none"></iframe>`,
    )
    expect(html).to.match(
      /<iframe[^>]*loading="lazy"[^>]*src="https:\/\/video|<iframe loading="lazy" src="https:\/\/video/,
    )
    expect(html.match(/<iframe[^>]*loading/g)).to.have.length(1)
  })

  it('preloads the first image where a browser would find it late', async () => {
    const html = await page.show(`<p>${'word '.repeat(4000)}</p>${tag('late', ` srcset="${photo} 640w" sizes="50vw"`)}`)
    expect(html).to.include(
      `<link rel="preload" as="image" href="${photo}" imagesrcset="${photo} 640w" imagesizes="50vw" fetchpriority="high">`,
    )
    expect(await page.show(tag('early'))).not.to.include('preload')
  })

  it('does not request a missing theme file in a loop, even on the 404 page', async () => {
    const { hooks } = page.host.host
    const logo = '<img src="/wp-content/themes/default/gone.png" alt="logo">'
    const undo = hooks.addFilter('page_html', (html) => html.replace('</body>', `${logo}</body>`), 5)
    expect(await (await page.host.get('/no-such-page/')).text()).to.match(
      /<img decoding="async" [^>]*default\/gone\.png"/,
    )
    undo()
  })

  it('passes over files that are broken, empty or gone', async () => {
    const broken = await page.upload('broken.jpg', 'no image')
    const empty = await page.upload('empty.png', '')
    const html = await page.show(
      `<img src="${broken}" alt="b"><img src="${empty}" alt="e"><img src="/wp-content/uploads/gone.jpg" alt="g">`,
    )
    for (const alt of ['b', 'e', 'g']) expect(image(html, alt)).to.include('src=').and.not.include('width')
  })
})
