/**
 * Icons and all Apple splash screens from an icon of 1024 pixels: `POST /pwa/v1/pwa-assets/save`, including the start of
 * its process, compared with `@vite-pwa/assets-generator` in the same run. The latter writes PNG with a reduced palette by
 * default; it is also measured with lossless PNG, as Pentad writes it.
 */
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateAssets } from '@vite-pwa/assets-generator/api/generate-assets'
import { instructions } from '@vite-pwa/assets-generator/api/instructions'
import sharp, { type PngOptions } from 'sharp'
import { APPLE_SCREENS } from '../plugins/pwa/assets/apple-screens.ts'
import { drawInProcess } from '../plugins/pwa/assets/draw-in-process.ts'
import { printTarget } from './load.ts'

const ROUNDS = 3
const SIDE = 1024
const BACKGROUND = '#ffffff'

interface Run {
  readonly milliseconds: number
  readonly files: number
  readonly bytes: number
}

const icon = await drawIcon()
const makers = {
  pentad: (folder: string) =>
    drawInProcess({ bytes: icon, background: BACKGROUND, folder }, new AbortController().signal),
  'assets-generator': (folder: string) => generate(folder, { compressionLevel: 9, quality: 60 }),
  'assets-generator, lossless': (folder: string) =>
    generate(folder, { compressionLevel: 6, adaptiveFiltering: true, palette: false }),
}

const runs: Record<keyof typeof makers, Run[]> = {
  pentad: [],
  'assets-generator': [],
  'assets-generator, lossless': [],
}
for (let round = 0; round < ROUNDS; round++) {
  for (const name of ['pentad', 'assets-generator', 'assets-generator, lossless'] as const)
    runs[name].push(await measure(makers[name]))
}

console.log(`Icons and ${APPLE_SCREENS.length} Apple screens in both orientations, median of ${ROUNDS} rounds`)
for (const [name, all] of Object.entries(runs)) {
  const { files, bytes } = all[0] ?? { files: 0, bytes: 0 }
  const size = `${files} files, ${(bytes / 1024 / 1024).toFixed(1)} MB`
  console.log(`  ${name.padEnd(28)} ${(median(all) / 1000).toFixed(2).padStart(7)} s, ${size}`)
}
const faster = (peer: keyof typeof makers) => median(runs[peer]) / median(runs.pentad)
printTarget('times as fast', faster('assets-generator'), 1)
printTarget('times as fast as lossless', faster('assets-generator, lossless'), 1)

/** The same files, except monochrome icons, which it does not support, and two of the three sizes in `favicon.ico`. */
async function generate(folder: string, png: PngOptions): Promise<void> {
  const preset = {
    png,
    transparent: { sizes: [64, 192, 512], favicons: [[48, 'favicon.ico']] satisfies [number, string][], padding: 0 },
    maskable: { sizes: [192, 512] },
    apple: { sizes: [180] },
    appleSplashScreens: {
      sizes: APPLE_SCREENS.map(({ width, height, ratio }) => ({ width, height, scaleFactor: ratio })),
      ...{ png, padding: 0.75, resizeOptions: { background: BACKGROUND }, linkMediaOptions: { log: false } },
    },
  }
  const made = await instructions({
    imageResolver: () => icon,
    imageName: 'icon.png',
    preset,
    htmlLinks: { xhtml: false, includeId: false },
    basePath: '/',
    resolveSvgName: (name) => name,
  })
  await generateAssets(made, true, folder)
}

async function measure(make: (folder: string) => Promise<unknown>): Promise<Run> {
  const folder = await mkdtemp(join(tmpdir(), 'pentad-bench-'))
  try {
    const start = performance.now()
    await make(folder)
    const milliseconds = performance.now() - start
    const sizes = await Promise.all((await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size))
    return { milliseconds, files: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) }
  } finally {
    await rm(folder, { recursive: true })
  }
}

function median(all: readonly Run[]): number {
  return all.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0
}

/** A disc with gradients: compresses neither as well as flat color nor as badly as noise. */
function drawIcon(): Promise<Buffer> {
  const half = SIDE / 2
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${SIDE}" height="${SIDE}"><defs>
    <linearGradient id="a" x2="1" y2="1"><stop stop-color="#7040f0"/><stop offset="1" stop-color="#20d0c0"/></linearGradient>
    <radialGradient id="b"><stop stop-color="#fff" stop-opacity=".8"/><stop offset="1" stop-color="#fff" stop-opacity="0"/>
    </radialGradient></defs><circle cx="${half}" cy="${half}" r="${half}" fill="url(#a)"/>
    <circle cx="380" cy="340" r="300" fill="url(#b)"/><text x="512" y="690" font-size="520" text-anchor="middle" fill="#fff">P</text></svg>`
  return sharp(Buffer.from(svg)).png().toBuffer()
}
