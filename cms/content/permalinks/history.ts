import type { Options } from '../../../core/options/types.ts'
import { asRecord } from '../media/details.ts'
import type { ContentParts } from '../parts.ts'
import { refreshAllPaths } from '../posts/paths.ts'
import type { SiteSettingsStore } from '../site-settings.ts'
import type { SiteSettings, SiteSettingsChanges } from '../types.ts'
import { compileStructure, type Structure, structureFault } from './structure.ts'

/** The former structures, and the settings for which paths of posts are stored. */
const RECORD = 'permalinks'
/** Maximum number of stored structures; the oldest is removed first. */
const MOST = 10
const FIRST_STRUCTURE = '/%postname%/'

/** The former structures of a site, whose URLs are redirected. */
export interface PermalinkHistory {
  /** Former structures, the latest first. */
  former(): readonly Structure[]
  /** Changes settings. If a permalink setting changed, updates the paths of all posts. */
  update(changes: SiteSettingsChanges): Promise<SiteSettings>
  /** Completes a change that a killed process started. */
  resume(): Promise<void>
}

/** Stores a structure that is used in links to this site, which are then redirected. */
export async function rememberStructure(options: Options, text: string): Promise<void> {
  if (text === '' || structureFault(text) !== undefined || readFormer(options)[0] === text) return
  await options.modify(RECORD, (current) => ({
    ...asRecord(current),
    former: [text, ...readFormer(options).filter((other) => other !== text)].slice(0, MOST),
  }))
}

function readFormer(options: Options): string[] {
  const { former } = asRecord(options.get(RECORD))
  return Array.isArray(former) ? former.filter((text) => typeof text === 'string') : []
}

export function createPermalinkHistory(
  parts: Pick<ContentParts, 'hooks' | 'registrations' | 'structure' | 'write'> & {
    options: Options
    settings: SiteSettingsStore
  },
): PermalinkHistory {
  const { hooks, options, settings, structure } = parts
  let known: { texts: string; structures: readonly Structure[] } = { texts: '[]', structures: [] }

  const stored = () => asRecord(options.get(RECORD))
  const formerTexts = () => readFormer(options)

  /** The settings on which paths of posts depend. */
  function basis(): string {
    const { text, tags } = structure()
    return tags.has('category') ? `${text} ${settings.get().defaultCategory}` : text
  }

  async function refresh(): Promise<void> {
    const wanted = basis()
    await refreshAllPaths({ ...parts, settings: settings.get })
    await options.modify(RECORD, (current) => ({ ...asRecord(current), basis: wanted }))
  }

  return {
    former() {
      const texts = formerTexts()
      const key = JSON.stringify(texts)
      if (known.texts !== key)
        known = {
          texts: key,
          structures: texts.filter((text) => structureFault(text) === undefined).map(compileStructure),
        }
      return known.structures
    },
    async update(changes) {
      const { permalinkStructure: before } = settings.get()
      const from = basis()
      const changed = await settings.update(changes)
      if (basis() === from) return changed
      if (changed.permalinkStructure !== before) await rememberStructure(options, before)
      await refresh()
      await hooks.doActionAsync('permalink_structure_changed', before, changed.permalinkStructure)
      return changed
    },
    async resume() {
      if ((stored().basis ?? FIRST_STRUCTURE) !== basis()) await refresh()
    },
  }
}
