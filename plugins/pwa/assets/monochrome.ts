import type { AppIcon } from './app-icon.ts'

/**
 * The shape of the icon, white, as PNG: of a monochrome icon only the transparency counts (W3C Web Application
 * Manifest, "Purposes"). Where nothing is transparent, what differs in brightness from the corners is the shape.
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

/** How much each pixel differs in brightness from the corners, stretched to 0 to 255. */
async function contrast(icon: AppIcon, side: number): Promise<Buffer> {
  const light = await icon.scaled(side).removeAlpha().greyscale().raw().toBuffer()
  const corners = [0, side - 1, side * (side - 1), side * side - 1].map((at) => light[at] ?? 0)
  const ground = corners.reduce((sum, one) => sum + one, 0) / corners.length
  const most = light.reduce((max, one) => Math.max(max, Math.abs(one - ground)), 1)
  return Buffer.from(light.map((one) => Math.round((255 * Math.abs(one - ground)) / most)))
}
