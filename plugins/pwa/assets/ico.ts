/** One image in an icon file. */
export interface IcoImage {
  /** Pixels, at most 256. */
  readonly side: number
  readonly png: Buffer
}

const HEADER = 6
const ENTRY = 16

/**
 * Encodes a Windows icon that contains PNG images: `favicon.ico`.
 * @see https://learn.microsoft.com/windows/win32/menurc/newheader (ICONDIR, ICONDIRENTRY)
 */
export function encodeIco(images: readonly IcoImage[]): Buffer {
  const directory = Buffer.alloc(HEADER + ENTRY * images.length)
  directory.writeUInt16LE(1, 2)
  directory.writeUInt16LE(images.length, 4)
  let offset = directory.length
  for (const [index, { side, png }] of images.entries()) {
    const at = HEADER + ENTRY * index
    // 0 stands for 256.
    directory.writeUInt8(side % 256, at)
    directory.writeUInt8(side % 256, at + 1)
    directory.writeUInt16LE(1, at + 4)
    directory.writeUInt16LE(32, at + 6)
    directory.writeUInt32LE(png.length, at + 8)
    directory.writeUInt32LE(offset, at + 12)
    offset += png.length
  }
  return Buffer.concat([directory, ...images.map(({ png }) => png)])
}
