import sharp, { type Sharp } from 'sharp'

export const RED = '#c03028'
export const BLUE = '#305080'

/** A red disc on nothing, as wide as the image. */
export function disc(side: number): Sharp {
  return sharp(discSvg(side)).png()
}

export function discSvg(side: number): Buffer {
  const half = side / 2
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}"><circle cx="${half}" cy="${half}" r="${half}" fill="${RED}"/></svg>`,
  )
}

/** Red above, blue below, nothing transparent. */
export function halves(width: number, height: number): Sharp {
  const half = Math.floor(height / 2)
  return sharp({ create: { width, height: half, channels: 3, background: RED } }).extend({
    bottom: height - half,
    background: BLUE,
  })
}

/** A decoded image: its pixels as `[red, green, blue, alpha]`. */
export interface Pixels {
  readonly width: number
  readonly height: number
  at(x: number, y: number): [number, number, number, number]
}

export async function pixelsOf(bytes: Uint8Array): Promise<Pixels> {
  const { data, info } = await sharp(bytes)
    .toColorspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return {
    width: info.width,
    height: info.height,
    at(x, y) {
      const [red = 0, green = 0, blue = 0, alpha = 0] = data.subarray((y * info.width + x) * 4)
      return [red, green, blue, alpha]
    },
  }
}

/** Whether a color is this one, but for what scaling and lossy formats change. */
export function isLike([red, green, blue]: readonly number[], color: string): boolean {
  const wanted = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
  return [red, green, blue].every((one, index) => Math.abs((one ?? 0) - (wanted[index] ?? 0)) <= 40)
}
