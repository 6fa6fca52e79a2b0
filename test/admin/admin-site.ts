import { glob, mkdir, readFile, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createTestHost, type TestHost, type TestHostOptions } from 'pentad/testing'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { siteWith } from '../speed/cached-site.ts'
import { launchChromium } from '../speed/chromium.ts'
import { freePort } from '../support/free-port.ts'
import { importExport } from '../support/import-export.ts'
import { explainFailures } from '../support/on-failure.ts'

const SCREENSHOTS = join(import.meta.dirname, 'screenshots')
const ADMIN = join(import.meta.dirname, '../../admin')

/** Of everybody who is signed in here. */
export const PASSWORD = 'correct horse battery'

const DESK = { width: 1280, height: 800 }
/** Milliseconds until something that should be in a page counts as missing: long, as other tests share the machine. */
const PATIENCE = 120_000
/** Pixels of a picture. */
const HIGHEST = 5000
const PHONE = { width: 390, height: 844 }

/** What a browser tells of itself; robots are not counted, and without a screen Chromium calls itself one. */
const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36'

interface AdminSiteOptions extends Pick<TestHostOptions, 'extensions' | 'config' | 'isTrustedAddress'> {
  /**
   * Whether the performance service renders all pages in advance, and makes smaller copies of their images, after each change.
   * That takes longer than all that the other screens do.
   */
  readonly preload?: boolean
  /** Whether the dashboard opens the setup wizard, as that of a new site does. */
  readonly isNew?: boolean
  /** Chromium by default. */
  readonly launch?: () => Promise<Browser>
}

export interface AdminSite {
  readonly site: TestHost
  /** A page at `path` with a user of that role signed in, on a desk or a phone; each call is a browser profile of its own. */
  signIn(role?: string, path?: string, device?: 'desk' | 'phone'): Promise<Page>
  /** Another tab of the same profile. */
  openTab(page: Page, path: string): Promise<Page>
  /**
   * Closes site and browser.
   * @throws Error with all that went wrong in the pages: errors of scripts and of the console, breaches of the policy, 5xx
   */
  close(): Promise<void>
  /** Errors that a test provokes on purpose do not count at `close`. */
  allow(problem: RegExp): void
}

export async function openAdminSite(options: AdminSiteOptions = {}): Promise<AdminSite> {
  const { config, preload = false, isNew = false, launch = launchChromium, ...more } = options
  await requireBuild()
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const siteDir = siteWith({ preload: preload ? 'on' : 'off' })
  const site = await createTestHost({ services: true, config: { siteDir, port, url, ...config }, ...more })
  const users = new Map<string, number>()
  const problems: string[] = []
  const allowed: RegExp[] = []
  let browser: Browser | undefined
  try {
    if (!isNew) await site.host.settings.get('setup')?.update({ state: 'dismissed' })
    await importExport(site)
    browser = await launch()
  } catch (error) {
    await site.close()
    throw error
  }
  const launched = browser
  const isChromium = launched.browserType().name() === 'chromium'
  const stopExplaining = explainFailures(async () => {
    const pages = launched.contexts().flatMap((context) => context.pages())
    return (await Promise.all(pages.map(seen))).join('\n')
  })

  async function userOf(role: string): Promise<number> {
    const known = users.get(role)
    if (known !== undefined) return known
    const login = `the-${role}`
    const displayName = `Robin ${role[0]?.toUpperCase()}${role.slice(1)}`
    const { id } = await site.host.auth.users.create({
      login,
      email: `${login}@example.org`,
      displayName,
      password: PASSWORD,
      roles: [role],
    })
    users.set(role, id)
    return id
  }

  async function cookieOf(role: string): Promise<{ name: string; value: string; url: string }> {
    const { auth } = site.host
    const user = await auth.users.get(await userOf(role))
    if (!user) throw new Error(`${role} is gone.`)
    const signedIn = await auth.startSession(user, { address: '127.0.0.1', userAgent: USER_AGENT })
    const [pair = ''] = auth.sessionCookie(signedIn).split(';')
    const at = pair.indexOf('=')
    return { name: pair.slice(0, at), value: pair.slice(at + 1), url: site.url }
  }

  async function open(context: BrowserContext, path: string): Promise<Page> {
    const page = await context.newPage()
    watch(page, problems)
    await page.goto(site.url + path, { waitUntil: 'load' })
    return page
  }

  return {
    site,
    async signIn(role = 'administrator', path = '/wp-admin/', device = 'desk') {
      const context = await launched.newContext({
        viewport: device === 'desk' ? DESK : PHONE,
        // Firefox cannot emulate these; reduced motion is a preference of its profile.
        ...(isChromium && { userAgent: USER_AGENT, reducedMotion: 'reduce' }),
        ...(isChromium && device === 'phone' && { hasTouch: true, isMobile: true }),
      })
      context.setDefaultTimeout(PATIENCE)
      await context.addCookies([await cookieOf(role)])
      return open(context, path)
    },
    openTab: (page, path) => open(page.context(), path),
    allow: (problem) => void allowed.push(problem),
    async close() {
      stopExplaining()
      await launched.close()
      await site.close()
      const left = problems.filter((problem) => !allowed.some((pattern) => pattern.test(problem)))
      if (left.length > 0) throw new Error(`This went wrong in the admin's pages:\n${[...new Set(left)].join('\n')}`)
    },
  }
}

/** What a page shows, and what it still loads. */
async function seen(page: Page): Promise<string> {
  const shown = await page.locator('body').ariaSnapshot({ timeout: 10_000 })
  const loaded = await page.evaluate<string[]>(
    "performance.getEntriesByType('resource').map(({ name, responseStatus, duration }) => [name, responseStatus, Math.round(duration)].join(' '))",
  )
  return [page.url(), shown, ...loaded.slice(-20)].join('\n')
}

function watch(page: Page, problems: string[]): void {
  page.on('console', (message) => {
    // Refusals are the client's to tell; each is logged by the browser all the same.
    if (message.type() !== 'error' || message.text().startsWith('Failed to load resource')) return
    problems.push(`console: ${message.text()} (${page.url()})`)
  })
  page.on('pageerror', (error) => problems.push(`script: ${error.stack ?? error.message} (${page.url()})`))
  page.on('response', (response) => {
    const url = new URL(response.url())
    if (response.status() >= 500) problems.push(`${response.status()} ${url.pathname}`)
    if (response.status() >= 400 && url.pathname.startsWith('/wp-admin/assets/')) problems.push(`no ${url.pathname}`)
  })
}

/** A test of an older build would say nothing about the source. */
async function requireBuild(): Promise<void> {
  const built = await stat(join(ADMIN, 'dist/.vite/manifest.json')).catch(() => undefined)
  const sources = await Array.fromAsync(glob(['admin/src/**', 'plugins/*/admin/**'], { cwd: join(ADMIN, '..') }))
  const stats = await Promise.all(sources.map((source) => stat(join(ADMIN, '..', source))))
  const newest = Math.max(...stats.filter((one) => one.isFile()).map(({ mtimeMs }) => mtimeMs))
  if (!built) throw new Error("The admin isn't built: run npm run build.")
  if (built.mtimeMs < newest) throw new Error('The build of the admin is older than its source: run npm run build.')
}

/**
 * Pictures of the page as it is now, in `test/admin/screenshots`: light, dark, and on a phone. For people to look at, where
 * they ask for them with `PENTAD_TEST_SCREENSHOTS=1`: no test compares them.
 */
export async function shoot(page: Page, name: string): Promise<void> {
  if (process.env.PENTAD_TEST_SCREENSHOTS !== '1') return settled(page)
  // The bar at the top stays where the page was scrolled to.
  await page.evaluate('scrollTo(0, 0)')
  await mkdir(SCREENSHOTS, { recursive: true })
  const picture = async (kind: string, size: typeof DESK) => {
    await page.setViewportSize(size)
    await settled(page)
    // The window as high as the page: what sticks to its edges is where it would be at the end.
    const height = await heightOf(page)
    await page.setViewportSize({ width: size.width, height: Math.min(Math.max(height, size.height), HIGHEST) })
    await settled(page)
    await page.screenshot({ path: join(SCREENSHOTS, `${name}-${kind}.png`), animations: 'disabled' })
  }
  await page.evaluate(
    `document.querySelectorAll('.mantine-Notifications-root').forEach((e) => { e.style.display = 'none' })`,
  )
  await page.emulateMedia({ colorScheme: 'dark' })
  await picture('dark', DESK)
  await page.emulateMedia({ colorScheme: 'light' })
  await picture('light', DESK)
  await picture('phone', PHONE)
  await page.setViewportSize(DESK)
  await page.evaluate(
    `document.querySelectorAll('.mantine-Notifications-root').forEach((e) => { e.style.display = '' })`,
  )
  await settled(page)
}

/** Of the whole page, once it stays so: the frame moves to another width in a transition. */
async function heightOf(page: Page): Promise<number> {
  for (let before = -1; ; ) {
    const height = Number(await page.evaluate('document.documentElement.scrollHeight'))
    if (height === before) return height
    before = height
    await page.waitForTimeout(100)
  }
}

/** Waits until what was asked for is there and drawn. */
export async function settled(page: Page): Promise<void> {
  // What is in a closed panel loads only once that is open.
  await ceased(
    page,
    `[...document.querySelectorAll('[aria-busy="true"], .mantine-Skeleton-root[data-visible], .mantine-Loader-root')].some(
    (one) => one.checkVisibility())`,
  )
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))')
  // Colors of another color scheme, and the frame of another width. Not their promises: Chromium at times never settles those.
  await ceased(
    page,
    `document.getAnimations().some((one) => one instanceof CSSTransition && one.playState === 'running')`,
  )
}

/** Waits while that is true, for at most 5 s: from here, as what waits inside of the page is a script from a string, which the policy refuses. */
async function ceased(page: Page, condition: string): Promise<void> {
  for (const end = Date.now() + 5000; Date.now() < end && (await page.evaluate(condition)); )
    await page.waitForTimeout(50)
}

let axeSource: Promise<string> | undefined

/** @throws Error with everything serious or critical that axe finds in the page, or in the part that `selector` names */
export async function expectAccessible(page: Page, selector = 'html'): Promise<void> {
  axeSource ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  await settled(page)
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(`${await axeSource}; 0`)
  const violations = await page.evaluate<string>(
    `axe.run(${JSON.stringify(selector)}, { resultTypes: ['violations'], iframes: false }).then(({ violations }) =>
      violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').flatMap(({ id, help, nodes }) =>
        nodes.map(({ html, failureSummary }) => id + ': ' + help + '\\n  ' + html + '\\n  ' + failureSummary)).join('\\n'))`,
  )
  if (violations !== '') throw new Error(`${page.url()} is not accessible:\n${violations}`)
}

/** Opens a screen from the navigation. */
export async function openScreen(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Admin menu' }).getByRole('link', { name, exact: true }).first().click()
  await settled(page)
}

/** Saves the settings that a screen shows. */
export async function saveSettings(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('You have unsaved changes.').waitFor({ state: 'hidden' })
}

/** A page that everybody can read, and its pictures. */
export async function looksGood(page: Page, name: string): Promise<void> {
  await expectAccessible(page)
  await shoot(page, name)
}
