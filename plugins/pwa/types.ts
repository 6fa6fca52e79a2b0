import type { AnswerOf } from 'pentad'
import { z } from 'zod'

/** One icon as the manifest and `POST /pwa-assets/save` name it. */
export type Icon = AnswerOf<typeof iconShape>

export const iconShape = z.object({
  src: z.string().describe('Path on the site.'),
  sizes: z.string().describe('`192x192`'),
  type: z.string(),
  purpose: z.enum(['any', 'maskable', 'monochrome']),
})

/** A splash screen of an Apple device. */
export type SplashScreen = AnswerOf<typeof splashScreenShape>

export const splashScreenShape = z.object({
  src: z.string().describe('Path on the site.'),
  media: z.string().describe('Media query of the device and how it is turned.'),
})
