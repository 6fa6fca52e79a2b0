import type Koa from 'koa'
import { z } from 'zod'
import type { Auth, Identity } from '../../core/auth/types.ts'
import { RestError } from '../../core/errors.ts'
import { escapeHtml } from '../../core/http/escape-html.ts'
import { queryOf } from '../../core/http/request.ts'
import type { Rest } from '../../core/rest/types.ts'

const THEMES = '/wp-admin/themes.php'
/** The screen that selects a theme. */
const SCREEN = '/wp-admin/settings/host'

const themesSchema = z.array(
  z.object({
    stylesheet: z.string(),
    status: z.enum(['active', 'inactive']),
    name: z.object({ rendered: z.string() }),
  }),
)

/**
 * `/wp-admin/themes.php` as WordPress's own clients read it: a list of themes, the active one with `data-slug`, the others
 * with a link that activates them. `@wordpress/e2e-test-utils-playwright` activates themes this way, as WordPress has no
 * route for it. Browsers are redirected to the settings screen. The list and the change go through the routes, so their
 * permissions apply.
 */
export function createThemesPage({
  auth,
  rest,
}: {
  auth: Pick<Auth, 'createNonce' | 'verifyNonce'>
  rest: Pick<Rest, 'dispatch'>
}) {
  const action = (stylesheet: string) => `switch-theme_${stylesheet}`

  async function activate(stylesheet: string, nonce: string, identity: Identity): Promise<void> {
    if (!auth.verifyNonce(nonce, action(stylesheet), identity))
      throw new RestError('rest_cookie_invalid_nonce', 'The link you followed has expired.', { status: 403 })
    const { status, body } = await rest.dispatch({
      ...{ method: 'PUT', route: '/host/v1/settings/host', body: { settings: { theme: stylesheet } }, identity },
    })
    if (status < 400) return
    const { code, message } = z.object({ code: z.string(), message: z.string() }).parse(body)
    throw new RestError(code, message, { status })
  }

  async function list(identity: Identity): Promise<string | undefined> {
    const { status, body } = await rest.dispatch({ method: 'GET', route: '/wp/v2/themes', identity })
    if (status >= 400) return undefined
    const items = themesSchema.parse(body).map(({ stylesheet, status, name }) => {
      const slug = escapeHtml(stylesheet)
      const nonce = auth.createNonce(action(stylesheet), identity)
      const link = `<a href="themes.php?action=activate&amp;stylesheet=${slug}&amp;_wpnonce=${nonce}">Activate</a>`
      return `<li data-slug="${slug}">${name.rendered} ${status === 'active' ? '(active)' : link}</li>`
    })
    return `<!doctype html><meta charset="utf-8"><meta name="robots" content="noindex"><title>Themes</title>
<meta http-equiv="refresh" content="0; url=${SCREEN}"><h1>Themes</h1><ul>${items.join('\n')}</ul>\n`
  }

  /** Whether it responded: not for users who may not switch themes. */
  return async (context: Koa.Context, identity: Identity): Promise<boolean> => {
    if (context.path !== THEMES) return false
    const query = queryOf(context)
    if (query.get('action') === 'activate') {
      await activate(query.get('stylesheet') ?? '', query.get('_wpnonce') ?? '', identity)
      context.redirect(`${THEMES}?activated=true`)
      return true
    }
    const page = await list(identity)
    if (page === undefined) return false
    context.set('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'")
    context.type = 'html'
    context.body = page
    return true
  }
}
