import type { Icon } from '../types.ts'
import type { AppIcon } from './app-icon.ts'
import { drawOnBackground } from './draw-on-background.ts'
import { encodeIco } from './ico.ts'
import { monochrome } from './monochrome.ts'

/**
 * Radius of the safe zone of a maskable icon relative to half its side (W3C Web Application Manifest, "Icon masks").
 */
const SAFE_ZONE = 0.8
/** iOS rounds the corners and fills transparency with black. */
const APPLE_TOUCH_SHARE = 0.8
const APPLE_TOUCH_SIDE = 180
const FAVICON_SIDES = [16, 32, 48]

/** Files that pages link to. */
export const APPLE_TOUCH_ICON = 'apple-touch-icon.png'
export const FAVICON = 'favicon.ico'

/** One icon file. */
export interface IconFile {
  readonly name: string
  readonly type: 'image/png' | 'image/vnd.microsoft.icon'
  /** Side in pixels; of the largest image if there are several. */
  readonly side: number
  readonly purpose: Icon['purpose']
  /** Whether the manifest lists it. Pages link to the others. */
  readonly isInManifest: boolean
  draw(icon: AppIcon, background: string): Promise<Buffer>
}

const inManifest = (purpose: Icon['purpose'], name: string, side: number, draw: IconFile['draw']): IconFile => ({
  ...{ name: `${name}-${side}.png`, type: 'image/png', side, purpose, isInManifest: true },
  draw,
})

const any = (side: number) => inManifest('any', 'icon', side, (icon) => plain(icon, side))

const maskable = (side: number) =>
  inManifest('maskable', 'maskable', side, (icon, background) => {
    const shown = Math.floor((side * SAFE_ZONE) / Math.max(icon.radius, SAFE_ZONE))
    return drawOnBackground(icon, shown, { width: side, height: side }, background)
  })

const silhouette = (side: number) => inManifest('monochrome', 'monochrome', side, (icon) => monochrome(icon, side))

const appleTouch: IconFile = {
  ...{ name: APPLE_TOUCH_ICON, type: 'image/png', side: APPLE_TOUCH_SIDE, purpose: 'any', isInManifest: false },
  draw(icon, background) {
    const shown = icon.isOpaque ? APPLE_TOUCH_SIDE : Math.round(APPLE_TOUCH_SIDE * APPLE_TOUCH_SHARE)
    return drawOnBackground(icon, shown, { width: APPLE_TOUCH_SIDE, height: APPLE_TOUCH_SIDE }, background)
  },
}

const favicon: IconFile = {
  ...{
    name: FAVICON,
    type: 'image/vnd.microsoft.icon',
    side: Math.max(...FAVICON_SIDES),
    purpose: 'any',
    isInManifest: false,
  },
  draw: async (icon) =>
    encodeIco(await Promise.all(FAVICON_SIDES.map(async (side) => ({ side, png: await plain(icon, side) })))),
}

/** All icons: for Android, desktop, notifications, iOS and older browsers. */
export const ICON_FILES: readonly IconFile[] = [
  ...[64, 192, 512].map(any),
  ...[192, 512].map(maskable),
  ...[96, 512].map(silhouette),
  appleTouch,
  favicon,
]

function plain(icon: AppIcon, side: number): Promise<Buffer> {
  return icon.scaled(side).png({ compressionLevel: 9 }).toBuffer()
}
