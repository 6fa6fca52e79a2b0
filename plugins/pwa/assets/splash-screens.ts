import type { SplashScreen } from '../types.ts'
import type { AppIcon } from './app-icon.ts'
import { APPLE_SCREENS, type AppleScreen } from './apple-screens.ts'
import { onBackground } from './on-background.ts'

/** Share of the shorter side that the icon takes. */
const SHARE = { phone: 0.25, tablet: 0.28 }

/** How one splash screen is made. */
export interface SplashScreenFile {
  readonly name: string
  readonly media: SplashScreen['media']
  draw(icon: AppIcon, background: string): Promise<Buffer>
}

/** Of every Apple screen, upright and lying. */
export const SPLASH_SCREEN_FILES: readonly SplashScreenFile[] = APPLE_SCREENS.flatMap((screen) => [
  splashScreen(screen, 'portrait'),
  splashScreen(screen, 'landscape'),
])

function splashScreen(screen: AppleScreen, orientation: 'portrait' | 'landscape'): SplashScreenFile {
  const { width, height, ratio, kind } = screen
  const area = orientation === 'portrait' ? { width, height } : { width: height, height: width }
  return {
    name: `splash-${area.width}x${area.height}.png`,
    // The device's width and height stay those of the upright device, however it is turned.
    media:
      `screen and (device-width: ${width / ratio}px) and (device-height: ${height / ratio}px) ` +
      `and (-webkit-device-pixel-ratio: ${ratio}) and (orientation: ${orientation})`,
    draw: (icon, background) => onBackground(icon, Math.round(width * SHARE[kind]), area, background),
  }
}
