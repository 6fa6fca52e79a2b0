import type { Auth, Identity, User } from '../../core/auth/types.ts'
import type { Config } from '../../core/config.ts'
import type { ExtensionManager } from '../../core/extensions/manager.ts'
import type { Hooks } from '../../core/hooks/types.ts'
import type { Logger } from '../../core/log.ts'
import type { Options, SettingsRegistry } from '../../core/options/types.ts'
import { isPublicSite } from '../content/public-site.ts'
import { avatarUrls } from '../content/routes/avatars.ts'
import { PATTERN } from '../content/routes/posts/patterns.ts'
import type { Content } from '../content/types.ts'
import { logoutUrl } from '../login/index.ts'
import type { Translations } from '../text/translations.ts'
import type { AdminData, AdminPageData, AdminSettings, AdminType, AdminUser } from './page-data.ts'
import { PAGE_MODULES, type PageModules } from './page-modules.ts'
import { type AdminPages, capabilityOf, pathOfPage, type RegisteredPage } from './pages.ts'
import { readUnexplainedEnd } from './unexplained-end.ts'

export interface AdminDataParts {
  readonly auth: Auth
  readonly config: Pick<Config, 'url' | 'disallowFileMods' | 'smtpUrl'>
  readonly content: Pick<Content, 'siteSettings' | 'postTypes'>
  readonly adminPages: AdminPages
  readonly pageModules: PageModules
  readonly log: Logger
  readonly extensions: Pick<ExtensionManager, 'running' | 'safeMode'>
  readonly hooks: Hooks
  readonly options: Options
  readonly settings: SettingsRegistry
  readonly sendsEmail: () => boolean
  readonly translations: Translations
}

/** Collects the initial data of the client for the current user. */
export function createAdminData(parts: AdminDataParts) {
  const { auth, config, content, extensions, hooks, options, settings } = parts

  /** Avatars of other sites are left out: requesting one would reveal to that site who works here. */
  function avatarOf({ slug }: User): string {
    const url = URL.parse(avatarUrls(hooks, slug)[96] ?? '', config.url)
    return url && url.origin === new URL(config.url).origin ? url.pathname + url.search : ''
  }

  async function capabilitiesOf(user: User): Promise<string[]> {
    const known = new Set([...auth.roles().values()].flatMap((role) => [...role.capabilities]))
    for (const one of Object.keys(auth.capabilities(user))) if (!auth.roles().has(one)) known.add(one)
    const names = [...known].filter((name) => !/^level_\d+$/.test(name)).sort()
    const has = await Promise.all(names.map((name) => auth.can(user, name)))
    return names.filter((_, at) => has[at])
  }

  async function describeUser(user: User): Promise<AdminUser> {
    const { id, displayName, login, email, roles } = user
    return {
      id,
      name: displayName,
      login,
      email,
      avatar: avatarOf(user),
      roles,
      capabilities: await capabilitiesOf(user),
    }
  }

  async function typesFor(user: User): Promise<AdminType[]> {
    const types = [...content.postTypes().values()].filter(
      (type) => (type.public || type.name === PATTERN) && type.restBase !== null && type.name !== 'attachment',
    )
    const may = await Promise.all(types.map(({ capabilities }) => auth.can(user, capabilities.edit_posts)))
    return types.filter((_, at) => may[at]).map(({ name, label, singularLabel }) => ({ name, label, singularLabel }))
  }

  function describeSettings(): Record<string, AdminSettings> {
    const described = settings.names().map((name): [string, AdminSettings] => {
      const record = settings.get(name)
      return [name, { version: record?.version() ?? '', values: record?.masked() ?? {} }]
    })
    return Object.fromEntries(described)
  }

  async function describePages(user: User, names: ReadonlyMap<string, string>): Promise<AdminPageData[]> {
    const described = await Promise.all(
      parts.adminPages.list().map(async (registered): Promise<AdminPageData[]> => {
        const { owner, page } = registered
        if (!(await auth.can(user, capabilityOf(page)))) return []
        const { slug, title, parent, icon } = page
        const path = pathOfPage(owner, slug)
        const drawn = page.parts ? { parts: page.parts } : await describeModule(registered, user)
        return [
          { extension: owner, owner: names.get(owner) ?? owner, ...{ slug, path, title, parent, icon }, ...drawn },
        ]
      }),
    )
    return described.flat()
  }

  async function describeModule({ owner, page }: RegisteredPage, user: User) {
    try {
      const { hash } = await parts.pageModules(page)
      return { module: `${PAGE_MODULES}${owner}/${hash}.js` }
    } catch (error) {
      parts.log.error({ err: error, extension: owner, page: page.slug }, 'page module build failed')
      const canSeeReason = await auth.can(user, 'activate_plugins')
      return { problem: canSeeReason && error instanceof Error ? error.message : '' }
    }
  }

  return async (identity: Identity & { readonly user: User }, styleNonce: string): Promise<AdminData> => {
    const { title, timezone, language, defaultCategory, defaultCommentStatus, defaultPingStatus } =
      content.siteSettings()
    const user = await describeUser(identity.user)
    const running = extensions.running()
    return {
      site: {
        title,
        url: config.url,
        ...{ language, timezone },
        isPublic: isPublicSite(options),
        ...{ defaultCategory, defaultCommentStatus, defaultPingStatus },
        sendsEmail: parts.sendsEmail(),
        smtpFromServer: config.smtpUrl !== undefined,
      },
      user,
      nonce: auth.createNonce('wp_rest', identity),
      restUrl: '/wp-json/',
      logoutUrl: logoutUrl(auth, identity),
      services: running.map(({ id }) => id),
      safeMode: extensions.safeMode,
      unexplainedEnd: user.capabilities.includes('activate_plugins') ? readUnexplainedEnd(options) : null,
      disallowFileMods: config.disallowFileMods,
      settings: user.capabilities.includes('manage_options') ? describeSettings() : {},
      types: await typesFor(identity.user),
      pages: await describePages(identity.user, new Map(running.map(({ id, name }) => [id, name]))),
      locale: await parts.translations.admin(identity.user.locale || language),
      styleNonce,
    }
  }
}
