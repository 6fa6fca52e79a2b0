import { expect } from 'chai'
import sharp from 'sharp'
import { makeSafe } from '../../../cms/content/media/image.ts'

const plain = () =>
  sharp(Buffer.alloc(64 * 48 * 3, 120), { raw: { width: 64, height: 48, channels: 3 } }).withExif({
    IFD0: { Copyright: 'Ann Author', Software: 'Editor 4' },
    IFD2: { DateTimeOriginal: '2026:01:31 12:00:00' },
  })
const packet = (inner: string) =>
  `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">${inner}</rdf:RDF></x:xmpmeta>`

/** The file with a segment right behind its start. */
const withSegment = (bytes: Buffer, marker: number, content: Buffer | string): Buffer => {
  const body = Buffer.from(content)
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([bytes.subarray(0, 2), head, body, bytes.subarray(2)])
}
const resource = (id: number, content: Buffer): Buffer => {
  const head = Buffer.from([...Buffer.from('8BIM'), id >> 8, id & 0xff, 0, 0, 0, 0, 0, 0])
  head.writeUInt32BE(content.length, 8)
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)])
}
const dataset = (number: number, text: string) =>
  Buffer.concat([Buffer.from([0x1c, 2, number, 0, text.length]), Buffer.from(text)])
const photoshop = (...parts: Buffer[]) => Buffer.concat([Buffer.from('Photoshop 3.0\0'), ...parts])

const stored = async (bytes: Buffer) => (await makeSafe(bytes, 'jpeg', true)).bytes

describe('Metadata of an uploaded JPEG', () => {
  const kept: Record<string, () => Promise<Buffer>> = {
    'who made it, with what and when': () => plain().jpeg().toBuffer(),
    'the same in XMP': () => plain().withXmp(packet('<dc:creator>Ann</dc:creator>')).jpeg().toBuffer(),
    'the same in IPTC': async () =>
      withSegment(
        await plain().jpeg().toBuffer(),
        0xed,
        photoshop(resource(0x0404, dataset(80, 'Ann')), resource(0x0425, Buffer.alloc(16))),
      ),
  }
  for (const [title, make] of Object.entries(kept)) {
    it(`stays, byte for byte: ${title}`, async () => {
      const bytes = await make()
      expect((await stored(bytes)).equals(bytes)).to.equal(true)
    })
  }

  const removed: Record<string, () => Promise<Buffer>> = {
    'the place': () =>
      plain()
        .withExifMerge({ IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
        .jpeg()
        .toBuffer(),
    'the serial number of the camera': () =>
      plain()
        .withExifMerge({ IFD2: { BodySerialNumber: '4711' } })
        .jpeg()
        .toBuffer(),
    'a thumbnail': () =>
      plain()
        .withExifMerge({ IFD1: { Compression: '6' } })
        .jpeg()
        .toBuffer(),
    'code in Exif': () =>
      plain()
        .withExifMerge({ IFD0: { Model: '<?php phpinfo();' } })
        .jpeg()
        .toBuffer(),
    'the place in XMP': () => plain().withXmp(packet('<exif:GPSLatitude>51,30N</exif:GPSLatitude>')).jpeg().toBuffer(),
    'the city in IPTC': async () =>
      withSegment(await plain().jpeg().toBuffer(), 0xed, photoshop(resource(0x0404, dataset(90, 'London')))),
    'a thumbnail of Photoshop': async () =>
      withSegment(await plain().jpeg().toBuffer(), 0xed, photoshop(resource(0x040c, Buffer.alloc(30)))),
    'resources that are cut off': async () =>
      withSegment(
        await plain().jpeg().toBuffer(),
        0xed,
        photoshop(resource(0x0404, dataset(80, 'Ann')).subarray(0, 14)),
      ),
    'an Exif block that cannot be read': async () =>
      withSegment(await plain().jpeg().toBuffer(), 0xe1, 'Exif\0\0II*\0\xff\xff\xff\xff'),
    'XMP in several parts': async () =>
      withSegment(await plain().jpeg().toBuffer(), 0xe1, 'http://ns.adobe.com/xmp/extension/\0<exif:GPS/>'),
  }
  for (const [title, make] of Object.entries(removed)) {
    it(`goes as a whole with ${title}`, async () => {
      const bytes = await make()
      const { exif, xmp, iptc } = await sharp(await stored(bytes)).metadata()
      expect({ exif, xmp, iptc }).to.deep.equal({ exif: undefined, xmp: undefined, iptc: undefined })
    })
  }

  it('removes unknown segments and trailing data', async () => {
    const bytes = await plain().jpeg().toBuffer()
    const odd = Buffer.concat([withSegment(withSegment(bytes, 0xfe, 'a comment'), 0xe5, 'anything'), Buffer.from('PK')])
    expect((await stored(odd)).equals(bytes)).to.equal(true)
  })
})
