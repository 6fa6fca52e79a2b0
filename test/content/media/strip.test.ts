import { crc32, deflateSync } from 'node:zlib'
import { expect } from 'chai'
import sharp, { type Sharp } from 'sharp'
import { makeSafe } from '../../../cms/content/media/image.ts'
import { stripMetadata } from '../../../cms/content/media/strip/index.ts'

const SECRET = 'Here I live'

/** Noise, so that no part of a file is empty. */
const noise = (channels: 3 | 4 = 3): Sharp =>
  sharp(Buffer.from(Array.from({ length: 64 * 48 * channels }, (_, index) => (index * 7919) % 251)), {
    raw: { width: 64, height: 48, channels },
  })

const spoken = (image: Sharp): Sharp =>
  image
    .withExif({ IFD0: { ImageDescription: SECRET, Model: SECRET }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
    .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/"><p>${SECRET}</p></x:xmpmeta>`)

const pixels = (bytes: Buffer) => sharp(bytes, { animated: true }).raw().toBuffer()

async function moving(): Promise<Sharp> {
  const frames = await Promise.all([noise(), noise().negate(), noise().flip()].map((frame) => frame.png().toBuffer()))
  return sharp(frames, { join: { animated: true } })
}

const images: Record<string, [format: 'jpeg' | 'png' | 'gif' | 'webp' | 'avif', make: () => Promise<Buffer>]> = {
  'a JPEG': ['jpeg', () => spoken(noise()).jpeg().toBuffer()],
  'a progressive JPEG': ['jpeg', () => spoken(noise()).jpeg({ progressive: true }).toBuffer()],
  'a JPEG of MozJPEG': ['jpeg', () => spoken(noise()).jpeg({ mozjpeg: true }).toBuffer()],
  'a gray JPEG': ['jpeg', () => spoken(noise().grayscale()).jpeg().toBuffer()],
  'a JPEG for print': ['jpeg', () => spoken(noise()).toColorspace('cmyk').jpeg().toBuffer()],
  'a PNG': ['png', () => spoken(noise(4)).png().toBuffer()],
  'an interlaced PNG': ['png', () => spoken(noise()).png({ progressive: true }).toBuffer()],
  'a PNG with a palette': ['png', () => spoken(noise()).png({ palette: true }).toBuffer()],
  'a PNG of 16 bits': ['png', () => spoken(noise()).toColorspace('rgb16').png().toBuffer()],
  'a WebP': ['webp', () => spoken(noise()).webp().toBuffer()],
  'a WebP without loss, with alpha': ['webp', () => spoken(noise(4)).webp({ lossless: true }).toBuffer()],
  'a moving WebP': [
    'webp',
    async () =>
      spoken(await moving())
        .webp()
        .toBuffer(),
  ],
  'a GIF': ['gif', () => noise().gif().toBuffer()],
  'an AVIF': ['avif', () => noise().avif({ effort: 0 }).toBuffer()],
  'a moving GIF': ['gif', async () => (await moving()).gif({ loop: 3, delay: [100, 200, 300] }).toBuffer()],
}

describe('What is taken out of an image', () => {
  for (const [title, [format, make]] of Object.entries(images)) {
    it(`is no pixel of ${title}`, async () => {
      const original = await make()
      const stripped = stripMetadata(format, original)
      expect((await pixels(stripped)).equals(await pixels(original))).to.equal(true)
      const { exif, xmp, iptc, pages, loop, delay, hasProfile } = await sharp(stripped).metadata()
      expect({ exif, xmp, iptc }).to.deep.equal({ exif: undefined, xmp: undefined, iptc: undefined })
      expect(stripped.includes(SECRET)).to.equal(false)
      const before = await sharp(original).metadata()
      expect({ pages, loop, delay, hasProfile }).to.deep.equal({
        ...{ pages: before.pages, loop: before.loop, delay: before.delay, hasProfile: before.hasProfile },
      })
    })

    it(`includes all trailing data of ${title}, and repeating it changes nothing`, async () => {
      const original = await make()
      const stripped = stripMetadata(format, Buffer.concat([original, Buffer.from(`<script>${SECRET}</script>`)]))
      expect(stripped.equals(stripMetadata(format, original))).to.equal(true)
      expect(stripMetadata(format, stripped).equals(stripped)).to.equal(true)
    })

    it(`ends with an error and never hangs, wherever ${title} is truncated`, async () => {
      const original = await make()
      for (let length = 0; length < original.length; length += 97) {
        try {
          stripMetadata(format, original.subarray(0, length))
        } catch (error) {
          expect(error).to.have.property('code', 'rest_upload_unknown_error')
        }
      }
    })
  }

  const insert = (image: Buffer, at: number, ...parts: (Buffer | string)[]) =>
    Buffer.concat([image.subarray(0, at), ...parts.map((text) => Buffer.from(text)), image.subarray(at)])
  const hiding: Record<string, [format: string, make: () => Promise<Buffer>]> = {
    'the height of a JPEG, said again': [
      'jpeg',
      async () => insert(await noise().jpeg().toBuffer(), 2, Buffer.from([0xff, 0xdc, 0, 2 + SECRET.length]), SECRET),
    ],
    'the brightness of a PNG': [
      'png',
      async () =>
        insert(await noise().png().toBuffer(), 33, Buffer.from([0, 0, 0, SECRET.length]), `gAMA${SECRET}0000`),
    ],
    'how often a GIF repeats': [
      'gif',
      async () => {
        const gif = await (await moving()).gif({ loop: 3 }).toBuffer()
        const end = gif.indexOf('NETSCAPE2.0') + 15
        return insert(gif, end, Buffer.from([SECRET.length]), SECRET)
      },
    ],
    'a box of an AVIF that no picture has': [
      'avif',
      async () => {
        const avif = await noise().avif({ effort: 0 }).toBuffer()
        return insert(avif, avif.length, Buffer.from([0, 0, 0, 8 + SECRET.length]), `uuid${SECRET}`)
      },
    ],
  }
  for (const [place, [format, make]] of Object.entries(hiding)) {
    it(`is what hides in ${place}`, async () => {
      const original = await make()
      expect(original.includes(SECRET)).to.equal(true)
      const stripped = stripMetadata(format, original)
      expect(stripped.includes(SECRET)).to.equal(false)
      expect((await pixels(stripped)).equals(await pixels(original))).to.equal(true)
      expect((await sharp(stripped).metadata()).loop).to.equal((await sharp(original).metadata()).loop)
    })
  }

  it('removes compressed texts of a PNG without decompressing them', async () => {
    const bomb = deflateSync(Buffer.alloc(50_000_000))
    const text = Buffer.concat([Buffer.from('Comment\0\0'), bomb])
    const length = Buffer.alloc(4)
    length.writeUInt32BE(text.length)
    const sum = Buffer.alloc(4)
    sum.writeUInt32BE(crc32(Buffer.concat([Buffer.from('zTXt'), text])))
    // Unpacked they would be ten gigabytes.
    const photo = insert(await noise().png().toBuffer(), 33, ...Array(200).fill([length, 'zTXt', text, sum]).flat())
    const safe = await makeSafe(photo, 'png', true)
    expect(safe.bytes.equals(stripMetadata('png', photo))).to.equal(true)
  })

  it('is not the color profile', async () => {
    const photo = await noise().withIccProfile('p3').jpeg().toBuffer()
    const { icc } = await sharp(stripMetadata('jpeg', photo)).metadata()
    expect(icc).to.deep.equal((await sharp(photo).metadata()).icc)
  })

  it('is the place of an AVIF too', async () => {
    const photo = await spoken(noise()).avif({ effort: 0 }).toBuffer()
    expect(photo.includes(SECRET)).to.equal(true)
    const { bytes, meta } = await makeSafe(photo, 'avif', true)
    expect(bytes.includes(SECRET)).to.equal(false)
    expect(meta.camera).to.equal(SECRET)
  })

  for (const orientation of [2, 3, 4, 5, 6, 7, 8]) {
    it(`is the orientation ${orientation}, which is applied before`, async () => {
      const photo = await noise().withMetadata({ orientation }).png().toBuffer()
      const safe = await makeSafe(photo, 'png', true)
      expect((await pixels(safe.bytes)).equals(await sharp(photo).autoOrient().raw().toBuffer())).to.equal(true)
      expect([safe.width, safe.height]).to.deep.equal(orientation > 4 ? [48, 64] : [64, 48])
      expect((await sharp(safe.bytes).metadata()).orientation).to.equal(undefined)
    })
  }
})
