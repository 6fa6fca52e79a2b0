import type { SplashScreen } from '../types.ts'
import type { AppIcon } from './app-icon.ts'
import { APPLE_SCREENS, type AppleScreen } from './apple-screens.ts'
import { drawOnBackground } from './draw-on-background.ts'

/** Size of the icon relative to the shorter side. */
const SHARE = { phone: 0.25, tablet: 0.28 }

/** One splash screen file. */
export interface SplashScreenFile {
  readonly name: string
  readonly media: SplashScreen['media']
  draw(icon: AppIcon, background: string): Promise<Buffer>
}

/** One per Apple screen and orientation. */
export const SPLASH_SCREEN_FILES: readonly SplashScreenFile[] = APPLE_SCREENS.flatMap((screen) => [
  splashScreen(screen, 'portrait'),
  splashScreen(screen, 'landscape'),
])

function splashScreen(screen: AppleScreen, orientation: 'portrait' | 'landscape'): SplashScreenFile {
  const { width, height, ratio, kind } = screen
  const area = orientation === 'portrait' ? { width, height } : { width: height, height: width }
  return {
    name: `splash-${area.width}x${area.height}.png`,
    // `device-width` and `device-height` do not change with the orientation.
    media:
      `screen and (device-width: ${width / ratio}px) and (device-height: ${height / ratio}px) ` +
      `and (-webkit-device-pixel-ratio: ${ratio}) and (orientation: ${orientation})`,
    draw: (icon, background) => drawOnBackground(icon, Math.round(width * SHARE[kind]), area, background),
  }
}
