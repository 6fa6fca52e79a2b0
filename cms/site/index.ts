import type Koa from 'koa'
import type { Auth, User } from '../../core/auth/types.ts'
import type { Config } from '../../core/config.ts'
import type { SiteDatabase } from '../../core/database/index.ts'
import type { HookRegistry, Hooks } from '../../core/hooks/types.ts'
import { currentRequest } from '../../core/http/request-context.ts'
import { type FixedAddresses, methodNotAllowed } from '../../core/http/router.ts'
import type { Logger } from '../../core/log.ts'
import type { SiteKey } from '../../core/options/site-key.ts'
import type { Options, SettingsRegistry } from '../../core/options/types.ts'
import type { Rest } from '../../core/rest/types.ts'
import type { Discussion } from '../content/discussion/types.ts'
import type { PasswordGuesses } from '../content/password-guesses.ts'
import type { PostPreviews } from '../content/post-preview.ts'
import { isPublicSite } from '../content/public-site.ts'
import type { Content } from '../content/types.ts'
import type { SiteBrand } from '../login/pages.ts'
import type { MailLook } from '../mail/template.ts'
import type { TextsFor } from '../text/translations.ts'
import { inTurns, nextTurn } from '../threads/yielding.ts'
import { canonicalRedirect } from './address/canonical.ts'
import { createFromFolder } from './address/from-folder.ts'
import { createGuess } from './address/guess.ts'
import { readAddress } from './address/route.ts'
import { createAppearance } from './appearance/index.ts'
import { registerCoreBlocks } from './blocks/index.ts'
import { COMMENTS_PATH, createCommentForm } from './comments/form.ts'
import {
  bytesWithoutMarks,
  createScriptNonce,
  headersWithoutNonce,
  type PolicyMode,
  withoutMarks,
} from './content-security-policy.ts'
import { setCurrentPage } from './current-page.ts'
import { addEditorBar } from './editor-bar/index.ts'
import { createFeed } from './feed/index.ts'
import { createFiles } from './files/index.ts'
import { filterShapes } from './hooks.ts'
import { createMailLook } from './mail-look.ts'
import { createOwnOembed, type OwnOembed, registerOembedRoute } from './oembed.ts'
import { createFind } from './page/find.ts'
import { createHead } from './page/head.ts'
import { createPageLinks } from './page/links.ts'
import { createPage, isRedirectTarget, viewOf } from './page/page.ts'
import { assertPageSize } from './page/size.ts'
import { pageLabel, pageTitle } from './page/title.ts'
import { createVisibility } from './page/visibility.ts'
import { createPostPasswords } from './post-password.ts'
import { createRender } from './render.ts'
import { cacheControl, type EncodedText, encodeText, limitCaching, sendResponse, sendText } from './send-response.ts'
import { createSitemaps } from './sitemap/index.ts'
import { asciiUrl } from './text.ts'
import { offerMenuPlaces, offerPageTemplates } from './theme/page-templates.ts'
import { registerThemesRoute } from './theme/routes.ts'
import { guardThemeSwitch } from './theme/switching.ts'
import { ENGLISH_TEXTS } from './theme/texts.ts'
import { createThemes, DEFAULT_THEME, type Themes } from './theme/theme.ts'
import { translateTitleFormats } from './theme/title-formats.ts'
import { registerWordPressThemeRoutes } from './theme/wordpress-routes.ts'
import { createDataVersion } from './view/data-version.ts'
import { createListedPosts } from './view/listed-posts.ts'
import { createMenu } from './view/menu.ts'
import { createPageView } from './view/page.ts'
import { createPageData, type PageData } from './view/page-data.ts'
import { createPageDataCache } from './view/page-data-cache.ts'
import { createPortraits } from './view/portraits.ts'
import { createPostView } from './view/post.ts'
import { createPostNames } from './view/post-names.ts'
import { createRelatedData } from './view/related-data.ts'
import { createSiteImages } from './view/site-images.ts'

/** The default `/robots.txt`: WordPress's `do_robots`. */
const ROBOTS = 'User-agent: *\nDisallow: /wp-admin/\nAllow: /wp-admin/admin-ajax.php\n'

export interface PublicSite {
  /** Handles every public page and feed; the last middleware of the server. */
  readonly middleware: Koa.Middleware
  /**
   * Adds the forms and files of the site: the password form of protected posts (`/wp-login.php?action=postpass`, to be
   * added before the sign-in page), the comment form, files below `/wp-content/`, the site icon.
   */
  registerAddresses(addresses: FixedAddresses): void
  /** oEmbed data of public posts of this site. */
  readonly oembed: OwnOembed
  readonly pageData: PageData
  readonly themes: Themes
  /** The logo and colors of the site for its emails. */
  mailLook(): Promise<MailLook>
  /** The logos and the color scheme of the site for its login form. */
  loginLook(): Promise<Omit<SiteBrand, 'title'>>
}

/** The public site: matches a URL to content and renders it with the theme. */
export function createPublicSite(parts: {
  content: Content
  discussion: Discussion
  passwordGuesses: PasswordGuesses
  postPreviews: PostPreviews
  database: SiteDatabase
  auth: Auth
  hooks: Hooks
  options: Options
  settings: SettingsRegistry
  rest: Rest
  inspectHooks: HookRegistry['inspect']
  config: Config
  siteKey: SiteKey
  log: Logger
  textsFor: TextsFor
  /** Name of the theme, read for each page. */
  theme: () => string
  /** Mode of the content security policy, read for each page. */
  policyMode: () => PolicyMode
  /** Id of the page with the privacy policy, read for each page; 0 if there is none. */
  policyPage: () => number
}): PublicSite {
  const { content, discussion, auth, hooks, options, rest, config, log } = parts
  hooks.declareFilters(filterShapes)
  const origin = config.url
  const scriptNonce = createScriptNonce()
  const pageData = createPageDataCache(hooks, {
    dataVersion: createDataVersion(parts.database),
    isReadByStatus: content.isReadByStatus,
  })
  parts.database.onForeignWrite(pageData.clear)
  const themes = createThemes(config.siteDir, { watch: config.environment === 'local', log })
  const openTheme = async () => (await themes.open(parts.theme())) ?? themes.open(DEFAULT_THEME)
  const texts = translateTitleFormats(
    hooks,
    async () => (await openTheme())?.texts(content.siteSettings().language) ?? ENGLISH_TEXTS,
  )
  const appearance = createAppearance({
    ...{ settings: parts.settings, auth, hooks, options, rest, openTheme, themes },
    db: parts.database.db,
  })
  offerPageTemplates(hooks, () => themes.open(parts.theme()))
  offerMenuPlaces(hooks, openTheme)
  const relatedData = createRelatedData({ content, auth, pageData })
  const portraits = createPortraits({ content, pageData })
  const postOfId = pageData.remember((id) => content.posts.get(Number(id)))
  const storedPost = async (id: number) => (id > 0 ? postOfId(String(id)) : undefined)
  registerCoreBlocks({
    ...{ content, auth, discussion, hooks, relatedData, portraits, storedPost, pageData, origin, texts, log },
  })
  const passwords = createPostPasswords(parts.siteKey.derive('post-password'), {
    secure: origin.startsWith('https:'),
    origin,
    guesses: parts.passwordGuesses,
  })
  const files = createFiles({ uploads: content.media.files, hooks, themes })
  const visibility = createVisibility(auth, content)
  const sitemaps = createSitemaps({ content, auth, options, hooks, origin })
  const find = createFind({ content, auth, options, visibility, pageData, postPreviews: parts.postPreviews })
  const feedOf = createFeed({ content, relatedData })
  const names = createPostNames({ content, hooks, origin })
  const siteImages = createSiteImages({ content, pageData })
  const viewPage = createPageView({
    content,
    hooks,
    discussion,
    pageData,
    menu: createMenu({ content, pageData, names, siteUrl: origin }),
    names,
    relatedData,
    portraits,
    origin,
    policyPage: parts.policyPage,
    siteImages,
    viewPost: createListedPosts({ content, hooks, postView: createPostView({ content, hooks, origin, texts }) }),
  })
  addEditorBar({ auth, content, hooks, inspectHooks: parts.inspectHooks, textsFor: parts.textsFor, origin })
  const links = createPageLinks({ content, rest, origin })
  const printHead = createHead({ content, hooks, options, links, origin })
  const renderPage = createRender({
    auth,
    hooks,
    log,
    themes,
    theme: parts.theme,
    policyMode: parts.policyMode,
    printHead,
    viewPage,
    appearance,
    textsFor: parts.textsFor,
  })

  async function userOf({ headers, state }: Koa.Context): Promise<User | null> {
    if (headers.cookie === undefined) return null
    const identity = await auth.identifyPage({ cookie: headers.cookie, address: state.clientAddress })
    currentRequest()?.identify(identity)
    return identity.user
  }

  const guess = createGuess({ content, hooks })
  const fromFolder = createFromFolder({ options, files, sitemaps })

  async function servePage(context: Koa.Context): Promise<void> {
    const found = createPage(context, { user: await userOf(context), origin, scriptNonce })
    const page = viewOf(found)
    await parts.postPreviews.load(page)
    await appearance.loadPreview(page)
    const limited = hooks.limited({ signal: page.signal })
    let address = readAddress(context.path, page.request.query, content)
    const sitemap = await sitemaps.respond(context.path, limited)
    if (sitemap || context.path === '/robots.txt') {
      found.kind = sitemap ? 'sitemap' : 'robots'
      found.status = 200
      page.addTags(...(sitemap?.tags ?? ['robots']))
    } else address = await find(found, address, limited)
    await nextTurn()
    setCurrentPage(page)
    // A preview shows the text that its editor writes, without asking for the password.
    found.locked = page.post !== undefined && !page.preview && passwords.isLocked(page.post, context.headers.cookie)
    if (appearance.isPreview(page)) found.preview = true
    const themeTexts = await texts()
    found.title = pageTitle(page, content, themeTexts)
    found.pageLabel = pageLabel(page, themeTexts)
    found.url = origin + page.path
    Object.freeze(page.posts)

    await limited.doActionAsync('template_redirect', page)
    if (found.response) {
      const { tags, headers: given = {}, body: sent } = found.response
      const text = typeof sent === 'string' ? withoutMarks(sent, scriptNonce) : sent
      const body = Buffer.isBuffer(text) ? bytesWithoutMarks(text, scriptNonce) : text
      const filtered = tags ? hooks.applyFilters('wp_headers', given, page) : given
      const headers = headersWithoutNonce(filtered, scriptNonce)
      return sendResponse(context, limitCaching({ ...found.response, headers, body }, page))
    }
    await nextTurn()
    const target =
      canonicalRedirect(page, address) ??
      (page.status === 404
        ? (sitemaps.redirect(context.path) ?? (await fromFolder(context, limited)) ?? (await guess(found, address)))
        : undefined)
    const location = target === undefined ? null : hooks.applyFilters('redirect_canonical', target, page)
    if (location !== null && isRedirectTarget(location)) {
      const caching = page.user ? { 'Cache-Control': 'private, no-store' } : {}
      const headers = headersWithoutNonce({ ...caching, Location: asciiUrl(location) }, scriptNonce)
      return sendResponse(context, { status: 301, headers })
    }

    const send = (type: string, status: number, written: string | EncodedText, more: Record<string, string> = {}) => {
      const text = typeof written === 'string' ? encodeText(withoutMarks(written, scriptNonce)) : written
      assertPageSize(text, page, log)
      const headers = { 'Content-Type': `${type}; charset=UTF-8`, 'Cache-Control': cacheControl(page), ...more }
      const filtered = hooks.applyFilters('wp_headers', headers, page)
      sendText(context, status, headersWithoutNonce(filtered, scriptNonce), text)
    }
    if (sitemap) return send('application/xml', 200, sitemap.xml, { 'X-Robots-Tag': 'noindex, follow' })
    if (page.kind === 'robots') {
      const text = ROBOTS + sitemaps.robots()
      const filtered: unknown = await limited.applyFiltersAsync('robots_txt', text, isPublicSite(options))
      // Crawlers avoid a site whose robots.txt returns an error.
      return send('text/plain', 200, typeof filtered === 'string' ? filtered : text)
    }
    if (page.feed && page.status === 200)
      return send('application/rss+xml', 200, await feedOf(page, limited), { Link: links.header(page) })
    await nextTurn()
    const { status, text, headers } = await renderPage(page, limited)
    await nextTurn()
    send('text/html', status, text, { Link: links.header(page), ...headers })
  }

  /** The site icon: the attachment in the settings. */
  async function serveFavicon(context: Koa.Context): Promise<void> {
    const icon = await siteImages.find(content.siteSettings().siteIcon)
    context.set('Cache-Control', 'public, max-age=86400')
    if (icon) sendResponse(context, { status: 302, headers: { Location: icon.url } })
    else context.status = 204
  }

  registerThemesRoute(rest, themes, parts.theme)
  registerWordPressThemeRoutes({ rest, content, themes, active: parts.theme })
  guardThemeSwitch({ hooks, auth, themes })
  const oembed = createOwnOembed({ content, auth, hooks, visibility, origin })
  registerOembedRoute(rest, oembed)

  return {
    oembed,
    themes,
    mailLook: createMailLook({ content, siteImages, openTheme, settings: appearance.settings, origin }),
    async loginLook() {
      const settings = appearance.settings()
      return { ...(await siteImages.logos({ settings })), colorScheme: settings.colorScheme }
    },
    pageData: createPageData({ content, pageData, relatedData }),
    registerAddresses(addresses) {
      addresses.post('/wp-login.php', passwords.handleForm)
      addresses.post(
        COMMENTS_PATH,
        createCommentForm({
          content,
          auth,
          discussion,
          hooks,
          passwords,
          visibility,
          textsFor: parts.textsFor,
          origin,
        }),
      )
      addresses.get('/wp-content/{*path}', async (context, next) => {
        if (!(await files.serve(context))) await next()
      })
      addresses.get('/favicon.ico', serveFavicon)
    },
    async middleware(context) {
      if (context.method !== 'GET' && context.method !== 'HEAD') throw methodNotAllowed('GET, HEAD')
      return inTurns(() => servePage(context))
    },
  }
}
