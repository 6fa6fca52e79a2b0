import type { SettingsRegistry } from '../../core/options/types.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { registerComments } from './content/comments.ts'
import type { ContentAbilityParts } from './content/parts.ts'
import { registerReading } from './content/reading.ts'
import { registerTerms } from './content/terms.ts'
import { registerWriting } from './content/writing.ts'
import { registerSiteInfo } from './site-info.ts'
import { registerSettingsAbilities } from './site-settings.ts'

/** Abilities of every site, regardless of its plugins. */
export function registerCoreAbilities(
  parts: ContentAbilityParts & { readonly settings: SettingsRegistry; readonly siteUrl: string },
): void {
  const { abilities, content, siteUrl } = parts
  registerReading(parts)
  registerTerms(parts)
  registerComments(parts)
  registerWriting(parts)
  registerSiteInfo(abilities, { siteSettings: content.siteSettings, url: siteUrl, version: packageJson.version })
  registerSettingsAbilities(abilities, parts)
}
