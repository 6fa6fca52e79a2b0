import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { JsonValue, SettingsRegistry } from '../../../core/options/types.ts'
import type { ReplaceText } from '../replace-in-text.ts'
import type { Content } from '../types.ts'
import { replaceInValue } from './replace.ts'

/** Texts in the site's own settings. Its URLs and identifiers do not count as text. */
const SITE_TEXTS = ['title', 'description'] as const

/**
 * Replaces in the settings of the site, of the host and of extensions, which check and announce what they get. Secrets are
 * neither searched nor changed.
 * @returns how many settings were changed
 */
export async function replaceInOptions(
  { content, settings }: { readonly content: Content; readonly settings: SettingsRegistry },
  replace: ReplaceText,
  dryRun: boolean,
): Promise<number> {
  let count = 0
  const site = content.siteSettings()
  const changedTexts = SITE_TEXTS.filter((name) => replaceInValue(site[name], replace) !== site[name])
  count += changedTexts.length
  if (!dryRun && changedTexts.length > 0)
    await content.updateSiteSettings(Object.fromEntries(changedTexts.map((name) => [name, replace(site[name])])))

  for (const name of settings.names()) {
    const record = settings.get(name)
    const [open, shown] = [jsonOf(record?.get()), jsonOf(record?.masked())]
    const changes = Object.entries(open).flatMap(([key, value]): [string, JsonValue][] => {
      // A value that is masked is a secret.
      if (!isDeepStrictEqual(value, shown[key])) return []
      const replaced = replaceInValue(value, replace)
      return isDeepStrictEqual(replaced, value) ? [] : [[key, replaced]]
    })
    count += changes.length
    if (!dryRun && changes.length > 0) await record?.update(Object.fromEntries(changes))
  }
  return count
}

function jsonOf(record: unknown): Readonly<Record<string, JsonValue>> {
  return z
    .record(z.string(), z.json())
    .catch({})
    .parse(JSON.parse(JSON.stringify(record ?? {})))
}
