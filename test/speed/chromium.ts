import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { CHROMIUM_ENGINE, CHROMIUM_FLAGS } from '../support/chromium.ts'

/** The system's Chromium. @param flags beside the usual ones */
export function launchChromium(...flags: readonly string[]): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM_ENGINE,
    args: [
      ...CHROMIUM_FLAGS,
      // Else images that are not decoded yet are left out of a picture when the machine is busy.
      '--disable-checker-imaging',
      ...flags,
    ],
  })
}

/** A page and everything that went wrong in it. */
export interface WatchedPage {
  readonly page: Page
  readonly problems: string[]
}

/** Opens a page that notes errors of scripts, of the console and of requests to the site itself. */
export async function openPage(context: BrowserContext): Promise<WatchedPage> {
  const page = await context.newPage()
  const problems: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text()} (${message.location().url})`)
  })
  page.on('pageerror', (error) => problems.push(`script: ${error.message}`))
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${response.status()} ${response.url()}`)
  })
  return { page, problems }
}

/** Scrolls to the end and back, so that everything lazy is there, and waits for images and fonts. */
export async function readToTheEnd(page: Page): Promise<void> {
  await page.evaluate(`(async () => {
    for (let y = 0; y < document.documentElement.scrollHeight; y += innerHeight / 2) {
      scrollTo({ top: y, behavior: 'instant' })
      await new Promise((resolve) => setTimeout(resolve, 30))
    }
    // A busy browser may not have begun to load what was passed so quickly.
    for (const image of [...document.images].filter((one) => one.checkVisibility())) {
      image.scrollIntoView({ behavior: 'instant', block: 'center' })
      while (!image.complete) await new Promise((resolve) => requestAnimationFrame(resolve))
      await image.decode().catch(() => {})
    }
    await document.fonts.ready
    scrollTo({ top: 0, behavior: 'instant' })
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  })()`)
}

/** Sum of all layout shifts that no input caused; stricter than CLS, which takes the worst session of them. */
export async function layoutShifts(page: Page): Promise<number> {
  return Number(
    await page.evaluate(`new Promise((resolve) => {
      let sum = 0
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) if (!entry.hadRecentInput) sum += entry.value
      }).observe({ type: 'layout-shift', buffered: true })
      setTimeout(() => resolve(sum), 100)
    })`),
  )
}

/** Waits until the browser has painted. */
export async function painted(page: Page): Promise<void> {
  await page.waitForFunction(`performance.getEntriesByName('first-contentful-paint').length > 0`)
}

/** Waits until the browser has painted and has had the time to tell those who measure. */
export async function measured(page: Page): Promise<void> {
  await painted(page)
  await page.evaluate(`new Promise((resolve) => {
    const idle = (times) => (times > 0 ? requestIdleCallback(() => setTimeout(() => idle(times - 1), 100)) : resolve())
    idle(5)
  })`)
}
