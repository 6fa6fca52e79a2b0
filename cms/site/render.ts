import type { Auth } from '../../core/auth/types.ts'
import { RestError } from '../../core/errors.ts'
import type { Hooks } from '../../core/hooks/types.ts'
import { escapeHtml } from '../../core/http/escape-html.ts'
import type { Logger } from '../../core/log.ts'
import { noticePage } from '../http/notice-page.ts'
import type { PageTexts, TextsFor } from '../text/translations.ts'
import { nextTurn } from '../threads/yielding.ts'
import type { Appearance } from './appearance/index.ts'
import { markScripts, type PolicyMode, policyHeaders } from './content-security-policy.ts'
import { createFinishPage } from './finish-page.ts'
import type { PrintHead } from './page/head.ts'
import { type EncodedText, encodeText } from './send-response.ts'
import { templatesFor } from './theme/hierarchy.ts'
import { TemplateError } from './theme/template-error.ts'
import { DEFAULT_THEME, type Theme, type Themes } from './theme/theme.ts'
import type { PageContext } from './types.ts'
import { bodyClasses } from './view/classes.ts'
import type { ViewPage } from './view/page.ts'

/** Maximum length of what the callbacks of one hook print together, in characters. */
const MAX_PRINTED = 4_194_304

/** A rendered page. */
export interface RenderedPage {
  readonly status: number
  readonly text: EncodedText
  /** Headers that depend on the content of the page. */
  readonly headers: Readonly<Record<string, string>>
}

type AsyncHooks = Pick<Hooks, 'doActionAsync' | 'applyFiltersAsync'>

/** Renders a page with the active theme. Content is rendered before the head, as in WordPress's block themes. */
export function createRender(parts: {
  auth: Auth
  hooks: Hooks
  log: Logger
  themes: Themes
  /** Name of the active theme. */
  theme: () => string
  printHead: PrintHead
  viewPage: ViewPage
  appearance: Pick<Appearance, 'of'>
  /** Mode of the content security policy, read for each page. */
  policyMode: () => PolicyMode
  textsFor: TextsFor
}) {
  const { auth, hooks, log, themes, printHead, viewPage } = parts
  const finish = createFinishPage()
  /** The theme name of the last warning. */
  let missing: string | undefined

  /** The theme of that name, or the default theme if it does not exist. */
  async function openTheme(name: string): Promise<Theme> {
    const theme = await themes.open(name)
    if (theme) {
      missing = undefined
      return theme
    }
    const why = themes.isUntrusted(name) ? 'theme of an untrusted backup not approved' : 'theme not found'
    if (name !== missing) log.warn({ theme: name }, `${why}, default theme used`)
    missing = name
    const fallback = await themes.open(DEFAULT_THEME)
    if (!fallback) throw new Error(`The theme "${DEFAULT_THEME}" is missing.`)
    return fallback
  }

  async function printed(name: 'wp_head' | 'wp_body_open' | 'wp_footer', page: PageContext, limited: AsyncHooks) {
    let html = ''
    // All callbacks share it: none may replace what the next one calls.
    const output = Object.freeze({
      print(text: string) {
        const longer = html + text
        if (longer.length > MAX_PRINTED) throw new RangeError(`${name} prints at most ${MAX_PRINTED} characters.`)
        html = longer
      },
    })
    await limited.doActionAsync(name, output, page)
    return markScripts(html, page.scriptNonce)
  }

  /** Administrators see the details, visitors a generic error. @throws RestError `template_failed` */
  async function explain(error: TemplateError, page: PageContext): Promise<string> {
    log.error({ err: error, requestId: page.request.id, path: page.request.path }, 'theme template failed')
    if (page.user && (await auth.can(page.user, 'manage_options')))
      return brokenTemplatePage(error, await parts.textsFor(page.user))
    throw new RestError('template_failed', 'There has been a critical error on this website. Please try again later.', {
      status: 500,
    })
  }

  return async (page: PageContext, limited: AsyncHooks): Promise<RenderedPage> => {
    const look = parts.appearance.of(page)
    const theme = await openTheme(look.theme ?? parts.theme())
    const data = await viewPage(page, theme, look)
    const head = printHead(page, theme) + (await printed('wp_head', page, limited))
    const bodyOpen = await printed('wp_body_open', page, limited)
    const footer = await printed('wp_footer', page, limited)
    const bodyClass = hooks.applyFilters('body_class', bodyClasses(page), page).join(' ')
    try {
      const template = theme.choose(templatesFor(page)) ?? 'index'
      const html = theme.render(template, { ...data, head, bodyOpen, footer, bodyClass })
      await nextTurn()
      const { text, sources } = finish(await limited.applyFiltersAsync('page_html', html, page), page)
      const headers = policyHeaders(parts.policyMode(), { hooks, page, scripts: sources })
      return { status: page.status, text, headers }
    } catch (error) {
      if (error instanceof TemplateError)
        return { status: 500, text: encodeText(await explain(error, page)), headers: {} }
      throw error
    }
  }
}

function brokenTemplatePage(error: TemplateError, texts: PageTexts): string {
  const { esc_html__ } = texts
  const file = escapeHtml(error.file)
  return noticePage({
    texts,
    title: esc_html__('Template error'),
    body: `<h1>${esc_html__('Template error in the theme')}</h1>
<p><strong>${error.line ? esc_html__('%1$s, line %2$s', file, String(error.line)) : file}</strong></p>
<pre style="white-space: pre-wrap">${escapeHtml(error.message)}</pre>
<p>${esc_html__('This message is only visible to administrators. Visitors see a generic error page.')}</p>`,
  })
}
