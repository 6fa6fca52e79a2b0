import { hash } from 'node:crypto'
import type Koa from 'koa'
import type { Auth, User } from '../../core/auth/types.ts'
import { bundleModule } from '../site/scripts/bundle.ts'
import { type AdminPages, capabilityOf } from './pages.ts'
import type { AdminPage } from './types.ts'

/** Where the modules of extensions' pages are served: `/wp-admin/extension-pages/<extension>/<hash>.js`. */
export const PAGE_MODULES = '/wp-admin/extension-pages/'

/** A module as served to browsers. */
export interface PageModule {
  readonly hash: string
  readonly code: string
}

/** Bundles the module of a page, once each time the page is added; a failed build is retried. */
export type PageModules = (page: AdminPage) => Promise<PageModule>

export function createPageModules(): PageModules {
  const known = new WeakMap<AdminPage, Promise<PageModule>>()
  return (page) => {
    const building = known.get(page) ?? build(page.module ?? '')
    known.set(page, building)
    building.catch(() => known.delete(page))
    return building
  }
}

/**
 * Serves `/wp-admin/extension-pages/<extension>/<hash>.js` to users who may open the page.
 *
 * @returns `false` if there is no such module, or none for this user
 */
export async function servePageModule(
  context: Koa.Context,
  user: User,
  { auth, adminPages, pageModules }: { auth: Pick<Auth, 'can'>; adminPages: AdminPages; pageModules: PageModules },
): Promise<boolean> {
  const [owner, file, ...more] = context.path.slice(PAGE_MODULES.length).split('/')
  for (const { owner: other, page } of adminPages.list()) {
    if (other !== owner || page.module === undefined || !(await auth.can(user, capabilityOf(page)))) continue
    const made = await pageModules(page).catch(() => undefined)
    if (!made || file !== `${made.hash}.js` || more.length > 0) continue
    context.status = 200
    context.set({
      'Cache-Control': 'private, max-age=31536000, immutable',
      'Content-Type': 'text/javascript; charset=utf-8',
      'X-Content-Type-Options': 'nosniff',
    })
    context.body = made.code
    return true
  }
  return false
}

async function build(path: string): Promise<PageModule> {
  const code = await bundleModule(path)
  return { hash: hash('sha256', code, 'hex').slice(0, 16), code }
}
