import type { ResponseOf } from 'pentad'
import { z } from 'zod'

/** An icon in the manifest and in `POST /pwa-assets/save`. */
export type Icon = ResponseOf<typeof iconShape>

export const iconShape = z.object({
  src: z.string().describe('Path on the site.'),
  sizes: z.string().describe('Size, such as `192x192`.'),
  type: z.string(),
  purpose: z.enum(['any', 'maskable', 'monochrome']),
})

/** A splash screen of an Apple device. */
export type SplashScreen = ResponseOf<typeof splashScreenShape>

export const splashScreenShape = z.object({
  src: z.string().describe('Path on the site.'),
  media: z.string().describe('Media query for the device and orientation.'),
})
