import { expect } from 'chai'
import { NO_IMAGE_META, readImageMeta } from '../../../cms/content/media/exif.ts'

type Entry = [tag: number, type: 2 | 3 | 4 | 5, value: string | number | [number, number]]

/** An Exif block with a directory and the one below it (TIFF 6.0). */
function exifBlock(main: readonly Entry[], below: readonly Entry[], isLittle: boolean): Buffer {
  const block = Buffer.alloc(2000)
  const short = (value: number, at: number) =>
    isLittle ? block.writeUInt16LE(value, at) : block.writeUInt16BE(value, at)
  const long = (value: number, at: number) =>
    isLittle ? block.writeUInt32LE(value, at) : block.writeUInt32BE(value, at)
  let free = 1000
  function directory(at: number, entries: readonly Entry[]): void {
    short(entries.length, at)
    for (const [index, [tag, type, value]] of entries.entries()) {
      const entry = at + 2 + index * 12
      short(tag, entry)
      short(type, entry + 2)
      long(typeof value === 'string' ? value.length + 1 : 1, entry + 4)
      if (typeof value === 'number') {
        if (type === 3) short(value, entry + 8)
        else long(value, entry + 8)
        continue
      }
      long(free, entry + 8)
      if (typeof value === 'string') block.write(`${value}\0`, free, 'utf8')
      else {
        long(value[0], free)
        long(value[1], free + 4)
      }
      free += 100
    }
  }
  block.write(isLittle ? 'II' : 'MM', 0, 'latin1')
  short(42, 2)
  long(8, 4)
  directory(8, [...main, [0x8769, 4, 500]])
  directory(500, below)
  return Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), block])
}

const MAIN: Entry[] = [
  [0x0110, 2, 'Pocket 3'],
  [0x010e, 2, 'At <b>the</b> quay'],
  [0x013b, 2, 'Ann Author'],
  [0x8298, 2, '(c) Ann'],
  [0x0112, 3, 6],
]
const BELOW: Entry[] = [
  [0x829d, 5, [28, 10]],
  [0x829a, 5, [1, 250]],
  [0x8827, 3, 200],
  [0x920a, 5, [35, 1]],
  [0x9004, 2, '2026:01:31 12:00:00'],
]

describe("A photograph's Exif data", () => {
  for (const isLittle of [true, false]) {
    it(`are read as WordPress keeps them, ${isLittle ? 'little' : 'big'}-endian`, () => {
      expect(readImageMeta(exifBlock(MAIN, BELOW, isLittle))).to.deep.equal({
        ...{
          aperture: '2.8',
          credit: 'Ann Author',
          camera: 'Pocket 3',
          caption: 'At the quay',
          title: '',
          keywords: [],
        },
        ...{ created_timestamp: String(Date.UTC(2026, 0, 31, 12) / 1000), copyright: '(c) Ann', focal_length: '35' },
        ...{ iso: '200', shutter_speed: '0.004', orientation: '6' },
      })
    })
  }

  it('are ignored if they are invalid or damaged', () => {
    expect(readImageMeta(undefined)).to.deep.equal(NO_IMAGE_META)
    expect(readImageMeta(Buffer.from('Exif\0\0nonsense'))).to.deep.equal(NO_IMAGE_META)
    const block = exifBlock(MAIN, BELOW, true)
    for (let length = 0; length < block.length; length += 13) readImageMeta(block.subarray(0, length))
  })

  it('divide nothing by zero', () => {
    expect(readImageMeta(exifBlock([], [[0x829d, 5, [1, 0]]], true)).aperture).to.equal('0')
  })

  it('may point at themselves without end', () => {
    const block = exifBlock([], [[0x8769, 4, 500]], true)
    expect(readImageMeta(block).camera).to.equal('')
  })
})
