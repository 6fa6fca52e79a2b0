import type { HostAuth } from '../core/auth/host-auth.ts'
import type { Auth } from '../core/auth/types.ts'
import { createVault } from '../core/options/secrets.ts'
import type { JoiningHost } from '../core/types.ts'
import { registerCoreAbilities } from './abilities/core.ts'
import { type AbilitiesRegistry, createAbilities } from './abilities/index.ts'
import { registerAbilityRoutes } from './abilities/routes.ts'
import {
  createAccounts,
  createEmailChanges,
  createFirstAdministrator,
  createPasswordLinks,
  type FirstAdministrator,
  type PasswordLinks,
  registerAccountRoutes,
  registerEmailChangeRoutes,
  registerOAuthRoutes,
  registerPasswordLinkRoute,
  registerTwoFactorRoutes,
  type TwoFactor,
} from './accounts/index.ts'
import { registerAdmin } from './admin/index.ts'
import { type AdminPages, createAdminPages } from './admin/pages.ts'
import { type PluginFiles, registerPluginRoutes } from './admin/plugin-routes.ts'
import { setupSettings } from './admin/setup.ts'
import { joinChanges } from './changes/index.ts'
import { changeTables } from './changes/tables.ts'
import type { Changes } from './changes/types.ts'
import { createUnrecorded } from './changes/unrecorded.ts'
import { sweepOnEachNode } from './chunked-upload/sweep-on-each-node.ts'
import { createDiscussion } from './content/discussion/index.ts'
import { createTrashEmptying } from './content/empty-trash.ts'
import { registerExportRoute } from './content/export/routes.ts'
import { createImportJob } from './content/import/import-job.ts'
import { registerImportRoutes } from './content/import/routes.ts'
import { createContent, noteSiteUrl, seedContent } from './content/index.ts'
import { openBucketFolders } from './content/media/bucket-folders.ts'
import type { NoteChange } from './content/one-writer.ts'
import { createPasswordGuesses } from './content/password-guesses.ts'
import { createPostPreviews } from './content/post-preview.ts'
import { registerContentRoutes } from './content/routes/index.ts'
import { createScheduledPosts } from './content/scheduled-posts.ts'
import type { Content } from './content/types.ts'
import { databaseView } from './database/view.ts'
import { cmsView } from './extension-view.ts'
import { joinErrorPages } from './http/error-pages.ts'
import { createJobs, registerCron } from './jobs/index.ts'
import type { Jobs } from './jobs/types.ts'
import { jobsView } from './jobs/view.ts'
import { joinLicense } from './license/join.ts'
import type { License } from './license/types.ts'
import { registerEmailConfirmation } from './login/confirm-email.ts'
import { createTwoFactorPages, registerLogin, registerPasskeyLogin } from './login/index.ts'
import { registerCommentModeration } from './login/moderate-comment.ts'
import type { ReadLook } from './login/pages.ts'
import { registerPasswordReset } from './login/password-reset.ts'
import {
  createMail,
  createMailLog,
  mailSettings,
  mailTables,
  registerMailRoutes,
  serverOf,
  withChanges,
} from './mail/index.ts'
import type { Mail } from './mail/types.ts'
import { joinOperations } from './operations/index.ts'
import { prunePreviews, removePreviewFiles } from './previews.ts'
import { joinPrivacy } from './privacy/index.ts'
import { createRateLimitStore, pruneRateLimits } from './rate-limits/index.ts'
import { joinHookPriorities } from './rest/hook-priorities.ts'
import { joinRest } from './rest/index.ts'
import { registerInspectionRoutes } from './rest/inspection-routes.ts'
import type { OpenApi } from './rest/openapi.ts'
import { registerSettingsRoutes } from './settings/routes.ts'
import { convertSidebarWidgets } from './site/appearance/former-widgets.ts'
import { createEmbeds } from './site/embeds/index.ts'
import { joinExtensionAssets } from './site/extension-assets.ts'
import { joinExtensionTexts } from './site/extension-texts.ts'
import { pageDataView } from './site/extension-view.ts'
import { createPublicSite } from './site/index.ts'
import { siteSettings } from './site/settings.ts'
import type { Themes } from './site/theme/theme.ts'
import { createTranslations, type TextsFor } from './text/index.ts'

/** Members that the CMS adds to the host. */
export interface Cms {
  readonly auth: HostAuth & Auth
  /** Set where this start created the first administrator. */
  readonly firstAdministrator: FirstAdministrator | undefined
  readonly license: License
  readonly content: Content
  readonly abilities: AbilitiesRegistry
  readonly adminPages: AdminPages
  readonly jobs: Jobs
  readonly changes: Changes
  /** Notes a change of content that is made without `content`, in its transaction. */
  readonly noteChange: NoteChange
  readonly mail: Mail
  readonly themes: Themes
  /** Name of the active theme. */
  readonly activeTheme: () => string
  readonly passwordLinks: PasswordLinks
  readonly textsFor: TextsFor
  readonly twoFactor: TwoFactor
  /** OpenAPI 3.1 description of all registered routes. */
  openApi(): OpenApi
}

export interface CmsOptions {
  /** Folder of the built admin client: `admin/dist`. */
  readonly adminFolder: string
  /** Installs and deletes extensions for `wp/v2/plugins`. */
  readonly pluginFiles: PluginFiles
  /** Folder of an extension, and whether it runs in a sandbox; `undefined` if it has none. */
  readonly extensionFolder: (id: string) => { readonly path: string; readonly isSandboxed: boolean } | undefined
  /** Extensions and themes of the other nodes that this one does not have yet. */
  readonly missingCode?: (() => readonly string[]) | undefined
  /** Non-public addresses that embeds may request, for tests. Default: none. */
  readonly isTrustedAddress?: ((url: URL) => boolean) | undefined
  /** Whether this process serves the site. Default: `false`. */
  readonly serves?: boolean
  /** Whether it was started before all others of this machine that serve the site. Default: `true`. */
  readonly isFirst?: boolean
  /** Whether no other process on this machine serves the site. Default: `true`. */
  readonly isAlone?: boolean
}

/** Adds the CMS to a host: content, public site, abilities and admin, with their routes. */
export async function joinCms(
  host: JoiningHost,
  {
    adminFolder,
    extensionFolder,
    isTrustedAddress,
    missingCode,
    pluginFiles,
    serves = false,
    isFirst = true,
    isAlone = true,
  }: CmsOptions,
): Promise<Cms> {
  const { config, log, hooks, options, settings, database, rest, extensions, siteKey } = host
  const chosen = host.addSettings(siteSettings)
  const accounts = await createAccounts({
    ...{ auth: host.auth, database, hooks, siteKey, config, log },
    siteTitle: () => host.siteInfo().title,
    twoFactorRoles: () => chosen().twoFactorRoles,
  })
  const { auth, twoFactor, oauth } = accounts
  host.onClosed(accounts.close)
  host.addView(accounts.view)
  const jobs = createJobs({ database, hooks, log, timezone: () => host.siteInfo().timezone })
  host.onListen(() => jobs.start())
  host.onClosing(() => jobs.interrupt())
  jobs.schedule('prune-security-log', '37 4 * * *', accounts.securityLog.prune)
  jobs.schedule('prune-account-links', '47 4 * * *', accounts.links.prune)
  jobs.schedule('prune-oauth', '57 4 * * *', oauth.prune)
  host.addView(jobsView(jobs))
  host.addView(databaseView(database))
  const rateLimitStore = await createRateLimitStore(host)
  host.addView(() => ({ rateLimitStore }))
  registerSettingsRoutes(rest, settings)
  registerAccountRoutes(rest, auth)
  registerTwoFactorRoutes(rest, auth, twoFactor)
  registerOAuthRoutes(rest, auth, { oauth, rateLimitStore, siteTitle: () => host.siteInfo().title })
  const license = await joinLicense(host)
  const firstAdministrator = await createFirstAdministrator(auth, config)
  // No longer needed; extensions and child processes must not see it.
  delete process.env.PENTAD_ADMIN_PASSWORD
  const { openApi } = joinRest(rest, { title: () => host.siteInfo().title })
  registerInspectionRoutes(rest, { openApi, inspectHooks: host.inspectHooks })
  joinHookPriorities(host)
  await joinOperations(host, jobs, missingCode)

  const folders = await openBucketFolders(host)
  await database.migrate(changeTables.owner, changeTables.migrations(database.kind))
  const unrecorded = createUnrecorded()
  const content = await createContent({
    ...{ database, hooks, options, auth, config, log, noteChange: unrecorded.note },
    files: folders?.uploads,
  })
  const translations = createTranslations({ siteDir: config.siteDir, log })
  const textsFor: TextsFor = async (reader) => translations.page(reader?.locale || content.siteSettings().language)
  joinErrorPages(host, textsFor)
  const setup = settings.register('setup', setupSettings).settings
  if (firstAdministrator) {
    // Settings without a database are those of an existing site.
    if (options.names().every((name) => name !== 'setup_settings')) await setup.update({ state: 'pending' })
    const author = await auth.users.getByLogin(firstAdministrator.login)
    await seedContent({ content, options, database, authorId: author?.id ?? 0, log })
  }
  const changes = await joinChanges(host, { content, jobs, unrecorded, serves, isFirst, isAlone })
  // What running jobs change is recorded.
  host.onClosed((left) => jobs.close(left))
  const abilities = createAbilities({
    auth,
    isLicensed: () => license.active,
    hooks,
    core: host.owner,
    limits: host.callLimits,
  })
  registerCoreAbilities({ abilities, rest, content, auth, settings, siteUrl: config.url })
  const adminPages = createAdminPages()
  const smtp = settings.register('mail', mailSettings).settings.get
  const senderOf = ({ fromName, fromEmail } = smtp()) => ({
    name: fromName || host.siteInfo().title,
    address: fromEmail || host.siteInfo().adminEmail,
  })
  await database.migrate(mailTables.owner, mailTables.migrations(database.kind))
  const mailLog = createMailLog({
    ...{ db: database.db, vault: createVault(host.siteKey), key: host.siteKey.derive('mail log') },
    days: () => smtp().logDays,
  })
  jobs.schedule('prune-mail-log', '57 4 * * *', mailLog.prune)
  const mail = createMail({
    ...{ config, hooks, log, mailLog },
    sender: () => senderOf(),
    server: () => serverOf(smtp()),
    look: () => site.mailLook(),
  })
  registerMailRoutes(rest, {
    ...{ mail, mailLog, rateLimitStore, textsFor },
    withChanges(changes) {
      const entered = withChanges(smtp(), changes)
      return { server: serverOf(entered), sender: senderOf(entered) }
    },
  })
  host.onClose(() => mail.close())
  const siteTitle = () => host.siteInfo().title
  const look: ReadLook = async (reader) => {
    const texts = await textsFor(reader)
    return { title: siteTitle(), ...(await site.loginLook()), texts }
  }
  const passwordLinks = createPasswordLinks({
    ...{ links: accounts.links, checkNewPassword: accounts.checkNewPassword, securityLog: accounts.securityLog },
    ...{ users: auth.users, hooks, mail, textsFor, siteUrl: config.url, siteTitle },
  })
  registerPasswordLinkRoute(rest, auth, passwordLinks)
  const emailChanges = createEmailChanges({
    ...{ links: accounts.links, users: auth.users, hooks, mail, textsFor, siteUrl: config.url, siteTitle },
  })
  registerEmailChangeRoutes(rest, auth, emailChanges)
  host.addView(
    cmsView({ content, abilities, adminPages, mail: { send: mail.send, usesSmtp: mail.usesSmtp }, textsFor }),
  )

  const imports = createImportJob({
    ...{ content, users: auth.users, options, database, hooks, config, log, jobs },
    shared: folders?.tmp,
  })
  host.onClose(() => imports.close())
  if (folders) sweepOnEachNode(host, imports.sessions)
  const discussion = createDiscussion({
    ...{ content, auth, hooks, database, rateLimitStore, settings, mail, jobs, textsFor },
    siteUrl: config.url,
    key: siteKey.derive('comments'),
    linkKey: siteKey.derive('comment links'),
  })
  const passwordGuesses = createPasswordGuesses(rateLimitStore)
  const postPreviews = createPostPreviews(database.db)
  jobs.schedule('prune-previews', '*/10 * * * *', () => prunePreviews(database.db))
  host.onListen(() =>
    removePreviewFiles(config.siteDir).catch((error) => log.error({ err: error }, 'could not remove old previews')),
  )
  jobs.schedule('prune-rate-limits', '*/10 * * * *', () => pruneRateLimits(database.db))
  const scheduled = createScheduledPosts({ posts: content.posts, hooks, jobs, log })
  host.onClose(() => scheduled.close())
  host.onListen(async () => {
    await noteSiteUrl(options, config.url)
    await scheduled.start()
  })

  const policy = await joinPrivacy(host, { content, mail, mailLog, jobs, look, textsFor })
  registerContentRoutes(rest, { content, auth, hooks, options, discussion, passwordGuesses, postPreviews, config })
  registerExportRoute(rest, { content, users: auth.users, database, hooks, config })
  registerImportRoutes(rest, { imports, jobs })
  registerAbilityRoutes(rest, abilities)
  registerPluginRoutes(rest, { extensions, auth, hooks, files: pluginFiles })

  const emptyTrash = createTrashEmptying({ content, database, options, log, days: () => chosen().emptyTrashDays })
  jobs.schedule('empty-trash', '27 4 * * *', emptyTrash)
  await convertSidebarWidgets(options)
  const site = createPublicSite({
    ...{ content, discussion, passwordGuesses, postPreviews, auth, hooks, options, settings, rest, config },
    ...{ siteKey, log, database, textsFor },
    inspectHooks: host.inspectHooks,
    theme: () => chosen().theme,
    policyPage: policy.pageId,
    policyMode: () => chosen().contentSecurityPolicy,
  })
  await createEmbeds({
    ...{ content, database, hooks, jobs, log, rest, settings, signal: host.owner.signal },
    ...{ own: site.oembed, origin: config.url, isTrusted: isTrustedAddress },
  })
  host.addView(pageDataView(site.pageData))
  joinExtensionAssets(host, (id) => {
    const folder = extensionFolder(id)
    return folder?.isSandboxed ? undefined : folder?.path
  })
  joinExtensionTexts(host, {
    folderOf: (id) => extensionFolder(id)?.path,
    language: () => content.siteSettings().language,
  })
  site.registerAddresses(host.addresses)
  registerCron(host.addresses, jobs.startDue)
  registerEmailConfirmation(host.addresses, { emailChanges, config, look })
  registerCommentModeration(host.addresses, { links: discussion.moderationLinks, content, config, look })
  registerPasswordReset(host.addresses, { passwordLinks, auth, hooks, jobs, config, look, rateLimitStore })
  const twoFactorPages = createTwoFactorPages(host.addresses, { twoFactor, auth, hooks, config, look })
  registerPasskeyLogin(host.addresses, { passkeys: twoFactor.passkeys, auth, config, look, rateLimitStore })
  const hasPasskeys = twoFactor.passkeys.isSupported
  registerLogin(host.addresses, { auth, config, look, twoFactorPages, hasPasskeys, policyLink: policy.link })
  registerAdmin(host.addresses, {
    ...{ adminPages, auth, config, content, extensions, hooks, log, options, rest, settings },
    folder: adminFolder,
    sendsEmail: mail.usesSmtp,
    translations,
  })
  host.use(site.middleware)
  return {
    auth,
    firstAdministrator,
    license,
    content,
    abilities,
    adminPages,
    jobs,
    changes,
    noteChange: unrecorded.note,
    mail,
    themes: site.themes,
    activeTheme: () => chosen().theme,
    passwordLinks,
    textsFor,
    twoFactor,
    openApi,
  }
}
