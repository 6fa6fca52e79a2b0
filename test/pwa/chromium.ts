import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, type CDPSession, chromium, type Page } from 'playwright-core'
import { CHROMIUM_ENGINE, CHROMIUM_FLAGS } from '../support/chromium.ts'
import { until } from '../support/until.ts'

/**
 * The system's Chromium with a profile: in private browsing nothing can be installed.
 *
 * @param executablePath - `CHROMIUM` where notifications are shown or pushed, which the engine alone can't.
 */
export async function launchWithProfile(
  executablePath: string = CHROMIUM_ENGINE,
): Promise<{ context: BrowserContext; close(): Promise<void> }> {
  const profile = await mkdtemp(join(tmpdir(), 'pentad-profile-'))
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    // Without a screen Chromium calls itself a robot, and robots are not counted.
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
    args: [...CHROMIUM_FLAGS],
  })
  return {
    context,
    async close() {
      await context.close()
      await rm(profile, { recursive: true, force: true })
    },
  }
}

/** Opens a page and notes what goes wrong in it. */
export async function watchPage(context: BrowserContext): Promise<{ page: Page; problems: string[] }> {
  const page = await context.newPage()
  const problems: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(error.message))
  return { page, problems }
}

/** Waits until the page has a worker that is at work, and has told it what was visited. */
export async function controlled(page: Page): Promise<void> {
  await page.waitForFunction('navigator.serviceWorker.controller?.state === "activated"')
}

/** Paths that the browser keeps in one of its caches, sorted. */
export async function keptIn(page: Page, cache: string): Promise<string[]> {
  const name = JSON.stringify(cache)
  const urls = await page.evaluate(`(async () => {
    if (!(await caches.has(${name}))) return ''
    const keys = await (await caches.open(${name})).keys()
    return keys.map(({ url }) => new URL(url).pathname).sort().join(' ')
  })()`)
  return String(urls).split(' ').filter(Boolean)
}

/**
 * Waits until the browser keeps a path in one of its caches, with a text in it.
 *
 * `page.waitForFunction` would not do: it takes a promise for true.
 */
export async function waitUntilKept(page: Page, cache: string, path: string, text = ''): Promise<void> {
  const [name, address, part] = [cache, path, text].map((value) => JSON.stringify(value))
  await until(async () =>
    Boolean(
      await page.evaluate(`(async () => {
        const kept = await (await caches.open(${name})).match(${address})
        return kept !== undefined && (await kept.text()).includes(${part})
      })()`),
    ),
  )
}

/** Id by which Chromium's developer tools know the registration of the site's worker. */
export async function registrationId(devtools: CDPSession): Promise<string> {
  const found = new Promise<string>((resolve) => {
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [first] = registrations.filter(({ isDeleted }) => !isDeleted)
      if (first) resolve(first.registrationId)
    })
  })
  await devtools.send('ServiceWorker.enable')
  return found
}
