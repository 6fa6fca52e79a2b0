import { z } from 'zod'
import type { Hooks } from '../../../core/hooks/types.ts'
import { currentRequest } from '../../../core/http/request-context.ts'
import { toJson } from '../../../core/options/json.ts'
import type { Options } from '../../../core/options/types.ts'
import { withSidebarBlocks } from './former-widgets.ts'
import { type AppearanceSettings, appearanceSettings } from './settings.ts'

const RECORD = 'appearance_revisions'
const MOST = 20

export const revisionShape = z.object({
  replacedAt: z.string().describe('When these values were replaced, in ISO 8601.'),
  replacedBy: z.string().describe('Display name of the user who replaced them; empty for the command line.'),
  settings: appearanceSettings,
})

const storedRevision = revisionShape.extend({ settings: z.preprocess(withSidebarBlocks, appearanceSettings) })

export type AppearanceRevision = z.output<typeof revisionShape>

/** The revisions of a record; those that cannot be read are omitted. */
function readRevisions(stored: unknown): AppearanceRevision[] {
  return z
    .array(z.unknown())
    .catch([])
    .parse(stored)
    .flatMap((revision) => storedRevision.safeParse(revision).data ?? [])
}

/** Stores the previous values on each change, newest first; the oldest ones are dropped. */
export function recordRevisions(hooks: Hooks, options: Options): { list(): readonly AppearanceRevision[] } {
  const list = () => readRevisions(options.get(RECORD))

  hooks.addAction('appearance_settings_update:after', async function recordRevision(settings, previous) {
    const before: AppearanceSettings = appearanceSettings.parse(previous)
    if (JSON.stringify(appearanceSettings.parse(settings)) === JSON.stringify(before)) return
    const revision: AppearanceRevision = {
      replacedAt: new Date().toISOString(),
      replacedBy: currentRequest()?.identity.user?.displayName ?? '',
      settings: before,
    }
    await options.modify(RECORD, (stored) => toJson([revision, ...readRevisions(stored)].slice(0, MOST), RECORD))
  })

  return { list }
}
