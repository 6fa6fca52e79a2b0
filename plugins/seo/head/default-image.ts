import { hash } from 'node:crypto'
import type { ExtensionHost } from 'pentad'

/** Path of the generated default image: Open Graph requires an image for every page. */
export const IMAGE_PATH = '/seo-image.png'

const [WIDTH, HEIGHT] = [1200, 630]

/** Serves a generated image for sites without a default social image or logo: two colors derived from the site URL. */
export function registerDefaultImage({ hooks, site }: ExtensionHost): void {
  let drawn: Promise<Buffer> | undefined
  hooks.addAction('template_redirect', (page) => {
    if (page.request.path !== IMAGE_PATH || page.responded) return
    drawn ??= draw(site.url)
    const headers = { 'Content-Type': 'image/png', 'Cache-Control': 'public, max-age=86400' }
    return drawn.then((body) => page.respond({ headers, body }))
  })
}

async function draw(seed: string): Promise<Buffer> {
  const hue = hash('sha256', seed, 'buffer').readUInt16BE() % 360
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
<linearGradient id="g" x2="1" y2="1">
<stop stop-color="hsl(${hue}, 45%, 35%)"/><stop offset="1" stop-color="hsl(${(hue + 40) % 360}, 55%, 55%)"/>
</linearGradient>
<rect width="100%" height="100%" fill="url(#g)"/>
</svg>`
  const { default: sharp } = await import('sharp')
  return sharp(Buffer.from(svg)).png({ compressionLevel: 9 }).toBuffer()
}
