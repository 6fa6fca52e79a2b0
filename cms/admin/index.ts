import { join } from 'node:path'
import type Koa from 'koa'
import type { User } from '../../core/auth/types.ts'
import { queryOf } from '../../core/http/request.ts'
import { currentRequest } from '../../core/http/request-context.ts'
import type { FixedAddresses } from '../../core/http/router.ts'
import type { Rest } from '../../core/rest/types.ts'
import { ASSETS, createServeAsset, respondNotFound } from './assets.ts'
import { createBuiltClient } from './built.ts'
import { type AdminDataParts, createAdminData } from './data.ts'
import { adminPage, contentSecurityPolicy, createStyleNonce, notBuiltPage } from './page.ts'
import { createPageModules, PAGE_MODULES, servePageModule } from './page-modules.ts'
import { createThemesPage } from './themes-page.ts'
import { screenOfWordPress } from './wordpress-addresses.ts'

export { createAdminPages } from './pages.ts'

const ADMIN = '/wp-admin/'

/**
 * The admin under `/wp-admin/`: one page for all logged-in users and screens, with the initial data of the client; the files
 * of the built client; redirects from WordPress's admin URLs to the matching screens.
 *
 * @param parts.folder the build: `admin/dist`
 */
export function registerAdmin(
  addresses: FixedAddresses,
  given: Omit<AdminDataParts, 'pageModules'> & { readonly folder: string; readonly rest: Pick<Rest, 'dispatch'> },
): void {
  const { auth, folder, hooks, config } = given
  const parts = { ...given, pageModules: createPageModules() }
  const builtClient = createBuiltClient(folder)
  const serveAsset = createServeAsset(join(folder, 'assets'))
  const dataFor = createAdminData(parts)
  const showThemes = createThemesPage(given)

  async function showPage(context: Koa.Context, identity: Parameters<typeof dataFor>[0]): Promise<void> {
    const styleNonce = createStyleNonce()
    const [client, data] = await Promise.all([builtClient(), dataFor(identity, styleNonce)])
    context.status = client ? 200 : 503
    context.set('Content-Security-Policy', contentSecurityPolicy(styleNonce))
    context.type = 'html'
    context.body = client ? adminPage(client, data) : notBuiltPage(data)
  }

  async function serve(context: Koa.Context): Promise<void> {
    if (context.path.startsWith(ASSETS)) return serveAsset(context)
    context.set(HEADERS)
    const identity = await auth.identifyPage({
      cookie: context.get('Cookie') || undefined,
      address: context.state.clientAddress,
    })
    currentRequest()?.identify(identity)
    if (!identity.user) return redirect(context, `/wp-login.php?redirect_to=${encodeURIComponent(context.originalUrl)}`)
    const user: User = identity.user
    if (context.path.startsWith(PAGE_MODULES)) {
      if (!(await servePageModule(context, user, parts))) respondNotFound(context)
      return
    }
    if (await showThemes(context, identity)) return
    const screen = screenOfWordPress(context.path, queryOf(context))
    if (screen !== undefined) return redirect(context, screen)
    await showPage(context, { ...identity, user })
  }

  // Clients of WordPress read here where users give them access.
  const authorization = new URL(`${ADMIN}authorize-application.php`, config.url).href
  hooks.addFilter('rest_index', (index) => ({
    ...index,
    authentication: { 'application-passwords': { endpoints: { authorization } } },
  }))

  addresses.get('/wp-admin', (context) => redirect(context, ADMIN))
  addresses.get(`${ADMIN}{*path}`, serve)
}

/** Responses must not be cached, framed, or indexed. */
const HEADERS = {
  'Cache-Control': 'no-store',
  'X-Frame-Options': 'DENY',
  'X-Robots-Tag': 'noindex',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
}

function redirect(context: Koa.Context, target: string): void {
  context.status = 302
  context.set('Location', target)
  context.body = ''
}
