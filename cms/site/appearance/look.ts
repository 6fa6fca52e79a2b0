import type { Kysely } from 'kysely'
import { z } from 'zod'
import type { Schema } from '../../../core/database/index.ts'
import { createPreviews, type Previews } from '../../previews.ts'
import { type AppearanceSettings, appearanceSettings } from './settings.ts'

/** The look of a page: the stored settings and the active theme, or those of a preview. */
export interface Look {
  readonly settings: AppearanceSettings
  /** IDs of unsaved images; `undefined` for the stored ones. */
  readonly siteLogo?: number | undefined
  readonly siteIcon?: number | undefined
  /** Name of a theme that is not active; `undefined` for the active one. */
  readonly theme?: string | undefined
}

const lookSchema = z.object({
  ...{ settings: appearanceSettings, siteLogo: z.int().optional(), siteIcon: z.int().optional() },
  theme: z.string().optional(),
})

/** Unsaved looks; the screen that shows them stores them again with every change. */
export function createLookPreviews(db: Kysely<Schema>): Previews<Look> {
  return createPreviews(db, 'appearance_preview', lookSchema)
}
