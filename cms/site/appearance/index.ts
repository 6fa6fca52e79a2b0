import type { Kysely } from 'kysely'
import type { Auth, User } from '../../../core/auth/types.ts'
import type { Schema } from '../../../core/database/index.ts'
import { RestError } from '../../../core/errors.ts'
import type { Hooks } from '../../../core/hooks/types.ts'
import { currentRequest } from '../../../core/http/request-context.ts'
import { isJsonRecord } from '../../../core/options/json.ts'
import type { Options, SettingsRegistry } from '../../../core/options/types.ts'
import type { Rest } from '../../../core/rest/types.ts'
import { invalidParameter } from '../../../core/schema/errors.ts'
import { cleanPostHtml } from '../../content/sanitize-post.ts'
import type { Theme, Themes } from '../theme/theme.ts'
import type { PageContext } from '../types.ts'
import { createLookPreviews, type Look } from './look.ts'
import { recordRevisions } from './revisions.ts'
import { registerAppearanceRoutes } from './routes.ts'
import {
  type AppearanceSettings,
  appearanceSettings,
  CODE_SETTINGS,
  type CodeSettings,
  codeSchema,
} from './settings.ts'

export type { Look } from './look.ts'

/** The owner's choices about the look of the site. */
export interface Appearance {
  /** The look of a page. */
  of(page: PageContext): Look
  settings(): AppearanceSettings
  /** Whether a page shows unsaved settings, or a theme that is not active. */
  isPreview(page: Pick<PageContext, 'request'>): boolean
  /** Reads the unsaved settings that a page shows, before `of`. */
  loadPreview(page: Pick<PageContext, 'request' | 'user'>): Promise<void>
}

/** Priority of the owner's CSS and code, after everything else in the head; `wp_custom_css_cb` has it in WordPress. */
const LAST = 101

/** Declares the `appearance` settings, with their routes, revisions, and the code that they add to pages. */
export function createAppearance(parts: {
  readonly settings: SettingsRegistry
  readonly auth: Pick<Auth, 'can'>
  readonly hooks: Hooks
  readonly options: Options
  readonly rest: Rest
  readonly openTheme: () => Promise<Theme | undefined>
  readonly themes: Pick<Themes, 'open' | 'isUntrusted'>
  readonly db: Kysely<Schema>
}): Appearance {
  const { auth, hooks, options, rest, openTheme, themes } = parts
  const { settings } = parts.settings.register('appearance', appearanceSettings)
  const previews = createLookPreviews(parts.db)

  async function checkCode(changes: CodeSettings, user: User | null): Promise<void> {
    const stored = settings.get()
    const changed = CODE_SETTINGS.filter((key) => changes[key] !== undefined && changes[key] !== stored[key])
    if (changed.length === 0 || (user && (await auth.can(user, 'unfiltered_html')))) return
    throw new RestError('rest_forbidden', 'Sorry, you are not allowed to change the code of the site’s pages.', {
      status: 403,
    })
  }

  hooks.addAction('appearance_settings_update:before', async function checkAppearanceCode(changes) {
    const request = currentRequest()
    // Outside of requests it is the command line or the process itself.
    if (request) await checkCode(codeSchema.parse(changes), request.identity.user)
  })

  /** Users without `unfiltered_html` get the sidebar sanitized, as the content of their posts. @throws RestError 400 if it is too long then */
  async function permitSidebar(blocks: string, user: User | null): Promise<string> {
    if (user && (await auth.can(user, 'unfiltered_html'))) return blocks
    const clean = cleanPostHtml(blocks)
    if (appearanceSettings.shape.sidebarBlocks.safeParse(clean).success) return clean
    // Escaping has made it longer.
    throw invalidParameter('sidebarBlocks', 'After sanitizing, the sidebar must be at most 20000 characters long.')
  }
  hooks.addFilter('pre_update_option', async function sanitizeSidebar(value, name, oldValue) {
    const request = currentRequest()
    if (!request || name !== 'appearance_settings' || !isJsonRecord(value)) return value
    const { sidebarBlocks } = value
    const stored = isJsonRecord(oldValue) ? oldValue.sidebarBlocks : undefined
    if (typeof sidebarBlocks !== 'string' || sidebarBlocks === stored) return value
    return { ...value, sidebarBlocks: await permitSidebar(sidebarBlocks, request.identity.user) }
  })

  const revisions = recordRevisions(hooks, options)
  registerAppearanceRoutes({ rest, openTheme, themes, previews, revisions: revisions.list, checkCode, permitSidebar })

  const of = (page: PageContext): Look => previews.of(page) ?? { settings: settings.get() }

  hooks.addAction(
    'wp_head',
    function printCustomCode(output, page) {
      const { customCss, headCode } = of(page).settings
      if (customCss) output.print(`<style id="wp-custom-css">\n${customCss}\n</style>\n`)
      if (headCode) output.print(`${headCode}\n`)
      // A preview is shown in a frame without access to the admin; its links must not lead out of it.
      if (previews.of(page)) output.print('<base target="_blank">\n')
    },
    LAST,
  )
  hooks.addAction(
    'wp_footer',
    function printFooterCode(output, page) {
      const { footerCode } = of(page).settings
      if (footerCode) output.print(`${footerCode}\n`)
    },
    LAST,
  )

  return {
    ...{ of, settings: settings.get, loadPreview: previews.load },
    isPreview: (page) => previews.of(page) !== undefined,
  }
}
