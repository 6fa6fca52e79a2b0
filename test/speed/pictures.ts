import sharp, { type Sharp } from 'sharp'

/** An image with something in it, so that formats differ in size. */
export function picture(width: number, height: number): Sharp {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 40 }
  return sharp({ create: { width, height, channels: 3, background: '#888', noise } }).blur(3)
}

export const jpeg = (width: number, height: number) => picture(width, height).jpeg({ quality: 90 }).toBuffer()
