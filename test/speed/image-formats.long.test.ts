import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { expect } from 'chai'
import { createTestHost, type TestHost } from 'pentad/testing'
import sharp from 'sharp'
import { isPlaced, readSheetFacts } from '../../plugins/speed/optimize/css/sheet-facts.ts'
import { createParseHtml } from '../../plugins/speed/optimize/html/document.ts'
import { copyImage } from '../../plugins/speed/optimize/images/image-copy.ts'
import { type PageUnderTest, startPage } from './page-under-test.ts'
import { jpeg, picture } from './pictures.ts'

const isPictured = (html: string) => html.includes('</picture>')
const addresses = (html: string) => [...html.matchAll(/\/wp-content\/uploads\/speed\/assets\/[^\s"]+/g)].map(String)

/** A PNG of these chunks between signature, header and end. */
function png(width: number, height: number, ...chunks: Buffer[]): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 0, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, chunk('IHDR', header), ...chunks, chunk('IEND', Buffer.alloc(0))])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

function crc32(data: Buffer): number {
  let crc = 0xffffffff
  for (const byte of data) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}

describe('Images in smaller formats', () => {
  let page: PageUnderTest
  let photo: string
  let good: string

  before(async () => {
    page = await startPage({ imageFormats: ['avif', 'webp'] })
    photo = await page.upload('2026/01/photo.jpg', await jpeg(640, 480))
    good = await page.upload('2026/01/good.jpg', await jpeg(300, 200))
    await page.upload('2026/01/photo-300x225.jpg', await jpeg(300, 225))
  })
  after(() => page.close())

  /** Shows an image beside one that becomes a picture, and waits until nothing more comes. */
  async function besideGood(body: string, head = ''): Promise<string> {
    await page.showFinished(
      (html) => (html.match(/<source /g) ?? []).length >= 2,
      `<img src="${good}" alt="good">${body}`,
      head,
    )
    for (let round = 0; round < 3; round++) {
      await new Promise((resolve) => setTimeout(resolve, 300))
      await page.show(`<img src="${good}" alt="good">${body}`, head)
    }
    return page.show(`<img src="${good}" alt="good">${body}`, head)
  }

  it('offers AVIF and WebP once both are there, smaller than the original, and lists them', async () => {
    const body = `<img class="big" src="${photo}" alt="Photo">`
    expect(await page.show(body)).to.include(`<body>${body}</body>`)
    const html = await page.showFinished((text) => (text.match(/<source /g) ?? []).length === 2, body)
    expect(html).to.match(
      /<picture style="display:contents"><source style="display:none" type="image\/\w+" srcset="[^"]+"><source style="display:none" type="image\/\w+" srcset="[^"]+"><img class="big" src="[^"]+photo\.jpg" alt="Photo"><\/picture>/,
    )
    const original = (await jpeg(640, 480)).length
    for (const address of addresses(html)) {
      const answer = await page.host.get(address)
      const bytes = Buffer.from(await answer.arrayBuffer())
      expect(answer.headers.get('content-type')).to.match(/^image\/(?:avif|webp)$/)
      expect(answer.headers.get('cache-control')).to.include('immutable')
      expect(bytes.length).to.be.below(original)
      expect((await sharp(bytes).metadata()).width).to.equal(640)
    }
    const listed = (await page.assets()).filter(({ type }) => type === 'image')
    expect(listed.map(({ url }) => url)).to.include.members(addresses(html))
    for (const { size, originalSize } of listed) expect(size).to.be.below(originalSize)
  })

  it('copies every candidate of a srcset, and carries sizes over', async () => {
    const body = `<img src="${photo}" srcset="/wp-content/uploads/2026/01/photo-300x225.jpg 300w, ${photo} 640w" sizes="(max-width: 300px) 100vw, 300px" alt="">`
    const html = await page.showFinished(isPictured, body)
    expect(html).to.match(
      /<source style="display:none" type="image\/\w+" srcset="\S+photo-300x225-[0-9a-f]+\.\w+ 300w, \S+photo-[0-9a-f]+\.\w+ 640w" sizes="\(max-width: 300px\) 100vw, 300px">/,
    )
    expect(html).to.include(body)
  })

  it('leaves an image alone of which one candidate is elsewhere', async () => {
    const body = `<img src="${photo}" srcset="${photo} 1x, https://other.example/a,b.jpg 2x">`
    expect(await besideGood(body)).to.include(body)
  })

  it('keeps photos upright and their colors', async () => {
    const left = await sharp({ create: { width: 400, height: 200, channels: 3, background: '#0000ff' } })
      .png()
      .toBuffer()
    const turned = await picture(400, 400)
      .composite([{ input: left, top: 0, left: 0 }])
      .withMetadata({ orientation: 6 })
      .jpeg({ quality: 95 })
      .toBuffer()
    const url = await page.upload('turned.jpg', turned)
    const html = await page.showFinished(isPictured, `<img src="${url}">`)
    const answer = await page.host.get(addresses(html)[0] ?? '')
    // What was the upper half is the right one now.
    const { data } = await sharp(Buffer.from(await answer.arrayBuffer()))
      .extract({ left: 300, top: 200, width: 1, height: 1 })
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect(data[2]).to.be.above(200)
    expect(data[0]).to.be.below(60)
  })

  it('brings colors of print to the screen', async () => {
    const cmyk = await picture(320, 240).toColorspace('cmyk').jpeg({ quality: 95 }).toBuffer()
    const url = await page.upload('cmyk.jpg', cmyk)
    const html = await page.showFinished(isPictured, `<img src="${url}">`)
    const answer = await page.host.get(addresses(html)[0] ?? '')
    expect((await sharp(Buffer.from(await answer.arrayBuffer())).metadata()).space).to.equal('srgb')
  })

  it('keeps colors that only wide screens show', async () => {
    const wide = await picture(320, 240).withIccProfile('p3').jpeg({ quality: 95 }).toBuffer()
    const url = await page.upload('wide.jpg', wide)
    const html = await page.showFinished(isPictured, `<img src="${url}">`)
    const answer = await page.host.get(addresses(html)[0] ?? '')
    const copy = Buffer.from(await answer.arrayBuffer())
    expect((await sharp(copy).metadata()).icc).to.be.instanceOf(Buffer)
    const [before, after] = await Promise.all(
      [wide, copy].map(async (bytes) => (await sharp(bytes).toColorspace('srgb').stats()).channels[0]?.mean ?? 0),
    )
    expect(after).to.be.closeTo(before ?? 0, 3)
  })

  it('passes over what moves, is empty, broken or a bomb', async () => {
    const frame = await picture(120, 80).raw().toBuffer()
    const gif = await sharp(Buffer.concat([frame, frame.map((value) => 255 - value)]), {
      raw: { width: 120, height: 160, channels: 3, pageHeight: 80 },
    })
      .gif()
      .toBuffer()
    const [first, ...rest] = [
      chunk('acTL', Buffer.from([0, 0, 0, 2, 0, 0, 0, 0])),
      chunk('IDAT', deflateSync(Buffer.alloc(101 * 100))),
    ]
    const files = {
      'moving.gif': gif,
      'moving.png': png(100, 100, first ?? Buffer.alloc(0), ...rest),
      'empty.jpg': '',
      'broken.jpg': (await jpeg(300, 200)).subarray(0, 2000),
      'short.png': Buffer.from([0x89]),
      'bomb.png': png(50_000, 50_000, chunk('IDAT', deflateSync(Buffer.alloc(50_001 * 100)))),
    }
    const body = (
      await Promise.all(
        Object.entries(files).map(async ([name, content]) => `<p><img src="${await page.upload(name, content)}"></p>`),
      )
    ).join('')
    expect(await besideGood(body)).to.include(body)
    expect((await page.assets()).some(({ url }) => /moving|empty|broken|short|bomb/.test(url))).to.equal(false)
  })

  it('keeps no copy that is larger than its original', async () => {
    const noise = { type: 'gaussian' as const, mean: 128, sigma: 80 }
    const grain = sharp({ create: { width: 300, height: 200, channels: 3, background: '#888', noise } })
    const coarse = await grain.jpeg({ quality: 20 }).toBuffer()
    expect(await copyImage(coarse, 'webp', 100)).to.equal(null)
    expect(await copyImage(await jpeg(300, 200), 'webp', 75)).to.be.instanceOf(Buffer)
  })

  it('leaves pictures alone where a style sheet finds images by their place, or a script changes them', async () => {
    const body = `<figure class="card"><img src="${photo}"></figure><picture><img src="${photo}"></picture><img src="${photo}" data-src="/b.jpg"><p class="row"><img src="${photo}" class="x"> <i>after</i></p><p><img src="${photo}" class="y"></p>`
    const placed =
      '.card > img{border:1px solid}@media print{img.x + i{color:red}}:is(td, img).y:first-child{color:red}'
    const head = `<style>${placed}:is(th, td):first-child{padding:0}</style>`
    expect(await besideGood(body, head)).to.include(body)
    const free = await page.showFinished(isPictured, `<div class="other"><img src="${photo}"></div>`, head)
    expect(free).to.include('<div class="other"><picture')
  })

  it('are possible in the default theme: its style sheet finds no image of a post or a list by its place', async () => {
    const css = readFileSync(join(import.meta.dirname, '../../themes/default/style.css'), 'utf8')
    const { elements } = createParseHtml()(
      `<body><figure class="entry-image is-large"><img class="wp-post-image" src="${photo}"></figure>
      <article class="post-card"><a class="post-thumbnail"><img class="wp-post-image" src="${photo}"></a></article>
      <div class="entry-content"><figure class="wp-block-image alignwide"><img class="wp-image-1" src="${photo}"></figure></div>`,
    )
    const images = elements.filter(({ name }) => name === 'img')
    const facts = await readSheetFacts(css)
    expect(images.map((image) => isPlaced(image, facts))).to.deep.equal([false, false, false])
  })

  it('leaves all of them alone where the policy of the page allows no styles within it', async () => {
    const policy = `<meta http-equiv="Content-Security-Policy" content="style-src 'self'">`
    expect(await page.show(`<img src="${photo}">`, policy)).to.include(`<body><img src="${photo}"></body>`)
  })

  it('leaves all of them alone while a style sheet of another host may know their place', async () => {
    const body = `<img src="${photo}">`
    expect(await page.show(body, '<link rel="stylesheet" href="https://cdn.example/all.css">')).to.include(
      `<body>${body}</body>`,
    )
  })

  it('makes another copy when the file or the quality changes', async () => {
    const url = await page.upload('changing.jpg', await jpeg(300, 300))
    const body = `<img src="${url}">`
    const [before] = addresses(await page.showFinished(isPictured, body))
    await page.upload('changing.jpg', await jpeg(320, 300))
    const [changed] = addresses(
      await page.showFinished((html) => isPictured(html) && !html.includes(String(before)), body),
    )
    await page.set({ imageQuality: 30 })
    const [coarse] = addresses(
      await page.showFinished((html) => isPictured(html) && !html.includes(String(changed)), body),
    )
    expect(new Set([before, changed, coarse]).size).to.equal(3)
    await page.set({ imageQuality: 75 })
  })

  it('preloads the format that browsers choose', async () => {
    await page.set({ lazyImages: 'on' })
    const html = await page.showFinished(
      (text) => text.includes('preload'),
      `<p>${'word '.repeat(4000)}</p><img src="${photo}">`,
    )
    await page.set({ lazyImages: 'off' })
    expect(html).to.match(
      /<link rel="preload" as="image" type="image\/(?:avif|webp)" imagesrcset="[^"]+" fetchpriority="high">|<link rel="preload" as="image" href/,
    )
  })
})

describe('Images of a page that is kept', () => {
  let host: TestHost
  before(async () => {
    host = await createTestHost({ extensions: [join(import.meta.dirname, '../../plugins/speed')] })
  })
  after(() => host.close())

  it('are offered in smaller formats as soon as the copies are there, without a purge', async () => {
    const { media, posts } = host.host.content
    const image = await media.upload({ name: 'photo.jpg', source: await jpeg(800, 600) })
    const url = (await media.details([image])).get(image.id)?.url
    const content = `<p><img src="${url}" class="wp-image-${image.id}" alt=""></p>`
    await posts.insert({ title: 'Trip', status: 'publish', content })
    const first = await (await host.get('/trip/')).text()
    expect(first).to.include('<img').and.not.include('<picture')
    let kept: Response
    do {
      await new Promise((resolve) => setTimeout(resolve, 100))
      kept = await host.get('/trip/')
      expect(kept.headers.get('x-cache')).to.be.oneOf(['HIT', 'STALE', 'MISS'])
    } while (!isPictured(await kept.clone().text()))
    expect(addresses(await kept.text()).length).to.be.above(4)
  })
})
