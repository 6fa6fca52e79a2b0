import { z } from 'zod'
import type { User } from '../../../core/auth/types.ts'
import { RestError } from '../../../core/errors.ts'
import { MAX_RECORD_BYTES } from '../../../core/options/settings.ts'
import { success } from '../../../core/rest/response.ts'
import { successSchema } from '../../../core/rest/response-schemas.ts'
import type { AccessRequest, Rest } from '../../../core/rest/types.ts'
import type { Previews } from '../../previews.ts'
import { DEFAULT_THEME, THEME_NAME, type Theme, type Themes } from '../theme/theme.ts'
import { contrastOf, isOpaqueHex, READABLE } from './colors.ts'
import type { Look } from './look.ts'
import { type AppearanceRevision, revisionShape } from './revisions.ts'
import { appearanceSettings, type CodeSettings } from './settings.ts'
import { fontRules, fontsOf, type ResolvedStyle, resolveStyle } from './styles.ts'

const colorsShape = z.record(z.string(), z.string()).describe('Colors by slug: `base`, `contrast`, `accent`.')
const styleShape = z.object({
  slug: z.string().describe('Value of the `style` setting; empty for the theme’s own style.'),
  title: z.string(),
  light: colorsShape,
  dark: colorsShape,
  headingFont: z.string().describe('Slug of the font.'),
  textFont: z.string(),
})
const choicesShape = z.object({
  theme: z.string(),
  styles: z.array(styleShape),
  fonts: z.array(z.object({ slug: z.string(), name: z.string(), fontFamily: z.string() })),
  fontFaces: z.string().describe('CSS: the `@font-face` rules of the fonts.'),
  revisions: z.array(revisionShape),
})
const contrastShape = z
  .array(z.object({ scheme: z.enum(['light', 'dark']), role: z.enum(['contrast', 'accent']), ratio: z.number() }))
  .describe('Text and links whose contrast with the background is less than 4.5 to 1.')
/** As when settings are saved. */
const TOO_LARGE = `Settings must not exceed ${MAX_RECORD_BYTES / 1024} KB in total.`
const image = z.int().min(0).optional()

interface Parts {
  readonly rest: Rest
  readonly openTheme: () => Promise<Theme | undefined>
  readonly themes: Pick<Themes, 'open' | 'isUntrusted'>
  readonly previews: Pick<Previews<Look>, 'add'>
  readonly revisions: () => readonly AppearanceRevision[]
  /** @throws RestError 403 if the user may not change the code of pages */
  readonly checkCode: (settings: CodeSettings, user: User | null) => Promise<void>
  /** The blocks of the sidebar as this user may save them. */
  readonly permitSidebar: (blocks: string, user: User | null) => Promise<string>
}

const NO_STYLES: Pick<Theme, 'json' | 'styles'> = { json: undefined, styles: new Map() }

/** `host/v1/appearance`: what the theme offers, earlier settings, and previews of unsaved settings. */
export function registerAppearanceRoutes(parts: Parts): void {
  const { rest, openTheme, themes, previews, revisions, checkCode, permitSidebar } = parts
  const defaults = appearanceSettings.parse({})

  /** A theme that is not active. @throws RestError */
  async function openOther(name: string, { can }: Pick<AccessRequest, 'can'>): Promise<Theme> {
    if (!(await can('switch_themes')))
      throw new RestError('rest_forbidden', 'Sorry, you are not allowed to preview other themes.', { status: 403 })
    // Its templates are code, which a preview would run.
    if (themes.isUntrusted(name)) {
      const message = `The theme “${name}” is from a backup not signed by this site. It cannot be previewed. Activate it only if you trust it.`
      throw new RestError('theme_untrusted', message, { status: 409 })
    }
    const theme = await themes.open(name)
    if (!theme) throw new RestError('rest_theme_not_found', 'Theme not found.', { status: 404 })
    return theme
  }

  rest.registerRoute('host/v1', {
    method: 'GET',
    path: '/appearance',
    access: 'edit_theme_options',
    summary: 'Returns the styles and fonts of the active theme, and earlier appearance settings.',
    response: successSchema(choicesShape),
    async handler() {
      const theme = await openTheme()
      const describe = (slug: string, title: string) => {
        const style = resolveStyle(theme ?? NO_STYLES, { ...defaults, style: slug })
        const { light, dark, headingFont, textFont } = style
        return { slug, title, light, dark, headingFont: headingFont?.slug ?? '', textFont: textFont?.slug ?? '' }
      }
      const variations = [...(theme?.styles ?? [])].map(([slug, { title }]) => describe(slug, title ?? slug))
      return success({
        theme: theme?.name ?? DEFAULT_THEME,
        styles: theme?.json ? [describe('', theme.json.title ?? 'Default'), ...variations] : [],
        fonts: theme ? fontsOf(theme).map(({ slug, name = slug, fontFamily }) => ({ slug, name, fontFamily })) : [],
        fontFaces: theme ? fontRules(theme, fontsOf(theme)) : '',
        revisions: [...revisions()],
      })
    },
  })

  rest.registerRoute('host/v1', {
    method: 'POST',
    path: '/appearance/preview',
    access: 'edit_theme_options',
    summary:
      'Stores unsaved appearance settings for an hour, for previews of the site by the same user, optionally with another theme.',
    input: z.object({
      settings: appearanceSettings
        .strict()
        .refine((settings) => Buffer.byteLength(JSON.stringify(settings)) <= MAX_RECORD_BYTES, TOO_LARGE)
        .describe('All settings; omitted ones have their default value.'),
      siteLogo: image.describe('ID of an unsaved logo; 0 for none.'),
      siteIcon: image.describe('ID of an unsaved site icon; 0 for none.'),
      theme: z
        .string()
        .regex(THEME_NAME)
        .optional()
        .describe('Name of the theme to preview; the active one by default. Requires the `switch_themes` capability.'),
    }),
    response: successSchema(
      z.object({
        query: z.string().describe('Query parameter for URLs of pages: `appearance_preview=…`.'),
        contrast: contrastShape,
        light: colorsShape,
        dark: colorsShape,
      }),
    ),
    async handler({ input: { settings: unsaved, siteLogo, siteIcon, theme: name }, user, can }) {
      if (!user) throw new RestError('rest_forbidden', 'Sorry, you are not allowed to do that.', { status: 401 })
      await checkCode(unsaved, user)
      const settings = { ...unsaved, sidebarBlocks: await permitSidebar(unsaved.sidebarBlocks, user) }
      const theme = name === undefined ? await openTheme() : await openOther(name, { can })
      const style = resolveStyle(theme ?? NO_STYLES, settings)
      return success({
        query: await previews.add(user.id, { settings, siteLogo, siteIcon, theme: name }),
        contrast: lowContrasts(style),
        ...{ light: style.light, dark: style.dark },
      })
    },
  })
}

/** The contrasts that are too low, rounded to one decimal. */
function lowContrasts(style: ResolvedStyle): z.infer<typeof contrastShape> {
  return (['light', 'dark'] as const).flatMap((scheme) =>
    (['contrast', 'accent'] as const).flatMap((role) => {
      const { base, [role]: color } = style[scheme]
      const ratio = base && color && isOpaqueHex(base) && isOpaqueHex(color) ? contrastOf(base, color) : READABLE
      return ratio < READABLE ? [{ scheme, role, ratio: Math.round(ratio * 10) / 10 }] : []
    }),
  )
}
