import type { Content } from '../content/types.ts'
import type { MailLook } from '../mail/template.ts'
import { direction, toLanguage } from '../text/language.ts'
import { plainText } from '../text/plain-text.ts'
import { contrastOf, isOpaqueHex, READABLE } from './appearance/colors.ts'
import type { AppearanceSettings } from './appearance/settings.ts'
import { resolveStyle } from './appearance/styles.ts'
import type { Theme } from './theme/theme.ts'
import type { SiteImages } from './view/site-images.ts'

/** For themes without an accent color that is readable on white. */
const DEFAULT_ACCENT = '#0a4b78'

/** The logo and colors of the site for its emails. */
export function createMailLook(parts: {
  readonly content: Pick<Content, 'siteSettings' | 'texturize'>
  readonly siteImages: Pick<SiteImages, 'find'>
  readonly openTheme: () => Promise<Theme | undefined>
  readonly settings: () => AppearanceSettings
  /** Site URL without a trailing slash. */
  readonly origin: string
}): () => Promise<MailLook> {
  const { content, siteImages, openTheme, settings, origin } = parts

  async function logoUrl(): Promise<string | undefined> {
    const details = await siteImages.find(content.siteSettings().siteLogo)
    // Mail programs do not show SVG.
    if (!details || details.file.endsWith('.svg')) return undefined
    return new URL((details.sizes.medium ?? details).url, origin).href
  }

  return async () => {
    const { title, language } = content.siteSettings()
    const theme = await openTheme()
    const accent = theme && resolveStyle(theme, settings()).light.accent
    const isReadable = accent !== undefined && isOpaqueHex(accent) && contrastOf(accent, '#ffffff') >= READABLE
    return {
      title: plainText(content.texturize(title)),
      url: origin,
      language: toLanguage(language),
      direction: direction(toLanguage(language)),
      logoUrl: await logoUrl(),
      accent: isReadable ? accent : DEFAULT_ACCENT,
    }
  }
}
