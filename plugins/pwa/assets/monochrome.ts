import type { AppIcon } from './app-icon.ts'

/**
 * White silhouette of the icon as PNG. Only the alpha channel of a monochrome icon counts (W3C Web Application
 * Manifest, "Purposes"). For an opaque icon, it is derived from the difference in brightness from the corners.
 */
export async function monochrome(icon: AppIcon, side: number): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  const alpha = icon.isOpaque
    ? await contrast(icon, side)
    : await icon.scaled(side).extractChannel('alpha').raw().toBuffer()
  return sharp({ create: { width: side, height: side, channels: 3, background: 'white' } })
    .joinChannel(alpha, { raw: { width: side, height: side, channels: 1 } })
    .png({ compressionLevel: 9 })
    .toBuffer()
}

/** Difference in brightness of each pixel from the corners, scaled to 0–255. */
async function contrast(icon: AppIcon, side: number): Promise<Buffer> {
  const light = await icon.scaled(side).removeAlpha().grayscale().raw().toBuffer()
  const corners = [0, side - 1, side * (side - 1), side * side - 1].map((at) => light[at] ?? 0)
  const ground = corners.reduce((sum, one) => sum + one, 0) / corners.length
  const most = light.reduce((max, one) => Math.max(max, Math.abs(one - ground)), 1)
  return Buffer.from(light.map((one) => Math.round((255 * Math.abs(one - ground)) / most)))
}
