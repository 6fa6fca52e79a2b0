import { crc32 } from 'node:zlib'
import { expect } from 'chai'
import sharp from 'sharp'
import { readAppIcon } from '../../../plugins/pwa/assets/app-icon.ts'
import { IconError } from '../../../plugins/pwa/assets/icon-error.ts'
import { BLUE, disc, discSvg, halves, isLike, pixelsOf, RED } from './icon-images.ts'

/** The icon as it is drawn with so many pixels a side. */
async function drawn(bytes: Uint8Array, side = 100) {
  const icon = await readAppIcon(bytes)
  return { icon, ...(await pixelsOf(await icon.scaled(side).png().toBuffer())) }
}

async function refusal(bytes: Uint8Array): Promise<unknown> {
  try {
    await readAppIcon(bytes)
  } catch (error) {
    if (error instanceof IconError) return error.reason
    throw error
  }
  return 'taken'
}

describe('An app icon', () => {
  for (const [format, make] of Object.entries({
    PNG: () => disc(300).toBuffer(),
    'PNG with 16 bits': () => disc(300).toColorspace('rgb16').png().toBuffer(),
    'PNG with a palette': () => disc(300).png({ palette: true }).toBuffer(),
    WebP: () => disc(300).webp().toBuffer(),
    AVIF: () => disc(300).avif().toBuffer(),
    GIF: () => disc(300).gif().toBuffer(),
    SVG: async () => discSvg(300),
    'tiny SVG': async () => discSvg(2),
  }))
    it(`may be a ${format}, transparent around a disc`, async () => {
      const { icon, at } = await drawn(await make())
      expect(isLike(at(50, 50), RED), String(at(50, 50))).to.equal(true)
      expect(at(2, 2)[3]).to.equal(0)
      expect(icon.isOpaque).to.equal(false)
      expect(icon.radius).to.be.within(0.98, 1.02)
    })

  for (const [name, make] of Object.entries({
    JPEG: () => halves(400, 400).jpeg().toBuffer(),
    'JPEG for print (CMYK)': () => halves(400, 400).toColorspace('cmyk').jpeg().toBuffer(),
    // As a camera writes it that was held sideways: to be turned by a quarter.
    'JPEG that Exif turns': async () =>
      sharp(await halves(400, 400).png().toBuffer())
        .rotate(-90)
        .jpeg()
        .withMetadata({ orientation: 6 })
        .toBuffer(),
  }))
    it(`may be a ${name}, shown upright and without transparency`, async () => {
      const { icon, at } = await drawn(await make())
      expect(isLike(at(50, 20), RED), String(at(50, 20))).to.equal(true)
      expect(isLike(at(50, 80), BLUE), String(at(50, 80))).to.equal(true)
      expect(icon.isOpaque).to.equal(true)
      expect(icon.radius).to.be.closeTo(Math.SQRT2, 0.01)
    })

  it('may be gray', async () => {
    const { at } = await drawn(await halves(400, 400).grayscale().png().toBuffer())
    const [red, green, blue] = at(50, 50)
    expect([green, blue]).to.deep.equal([red, red])
  })

  it('that is not square is complete and centered, on a plain background', async () => {
    const { at, icon } = await drawn(await halves(400, 200).png().toBuffer())
    expect(at(50, 10)[3]).to.equal(0)
    expect(isLike(at(2, 35), RED)).to.equal(true)
    expect(isLike(at(97, 65), BLUE)).to.equal(true)
    expect(at(50, 90)[3]).to.equal(0)
    expect(icon.isOpaque).to.equal(false)
  })

  it('that moves shows its first frame', async () => {
    const frames = [await disc(200).toBuffer(), await halves(200, 200).png().toBuffer()]
    const moving = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer()
    expect((await drawn(moving)).at(2, 2)[3]).to.equal(0)
  })

  it('reads nothing but itself', async () => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="300" height="300">
      <script>throw 1</script><circle cx="150" cy="150" r="150" fill="${RED}"/>
      <image xlink:href="file:///etc/hostname" width="300" height="300"/>
      <image xlink:href="http://127.0.0.1:1/x.png" width="300" height="300"/></svg>`
    expect(isLike((await drawn(Buffer.from(svg))).at(50, 50), RED)).to.equal(true)
  })

  it('is refused if it is no image', async () => {
    expect(await refusal(Buffer.from('not an image'))).to.equal('damaged')
    expect(await refusal(Buffer.alloc(0))).to.equal('damaged')
  })

  it('is refused if it was cut off', async () => {
    const whole = await halves(400, 400).jpeg().toBuffer()
    expect(await refusal(whole.subarray(0, whole.length / 2))).to.equal('damaged')
  })

  it('is refused in formats that browsers do not show', async () => {
    expect(await refusal(await disc(300).tiff().toBuffer())).to.equal('file_type')
  })

  it('is refused if it is too small to be enlarged', async () => {
    expect(await refusal(await disc(1).toBuffer())).to.equal('too_small')
    expect(await refusal(await disc(143).toBuffer())).to.equal('too_small')
    expect(await refusal(await disc(144).toBuffer())).to.equal('taken')
  })

  it('is refused if nothing of it can be seen', async () => {
    const nothing = sharp({ create: { width: 200, height: 200, channels: 4, background: 'transparent' } })
    expect(await refusal(await nothing.png().toBuffer())).to.equal('empty')
  })

  it('is refused before it is unpacked if it has too many pixels', async () => {
    const bomb = await disc(200).toBuffer()
    bomb.writeUInt32BE(50_000, 16)
    bomb.writeUInt32BE(50_000, 20)
    // Of the header: its type and its 13 bytes.
    bomb.writeUInt32BE(crc32(bomb.subarray(12, 29)), 29)
    expect(await refusal(bomb)).to.equal('image_too_large')
  })
})
