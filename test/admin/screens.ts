import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { expectAccessible } from './admin-site.ts'

const LOOKS = [
  { name: 'light, on a desk', viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
  { name: 'dark, on a phone', viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
] as const

/** The titles of error messages, instead of a screen or in it. */
const ERROR =
  /^(Page not found|Something went wrong|This page could not be displayed|“.+” could not display this page)$/

/** Opens a page of the site, and waits for what its script shows. */
export async function openPage(page: Page, url: string, status = 200): Promise<void> {
  const answer = await page.goto(url)
  expect(answer?.status()).to.equal(status)
  // The script of a screen of the admin loads after the page.
  await page.locator('h1').first().waitFor()
}

/** All can be read and operated, and nothing is wider than the window. */
export async function expectReadable(page: Page): Promise<void> {
  const faults: string[] = []
  for (const { name, viewport, colorScheme } of LOOKS) {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme })
    await expectAccessible(page).catch((error) => faults.push(`${name}: ${error.message}`))
    const excess = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'))
    if (excess > 0) faults.push(`${name}: ${excess} px wider than the window`)
  }
  expect(faults.join('\n')).to.equal('')
}

/** A readable screen of the admin that shows no error. */
export async function expectScreen(page: Page, url: string): Promise<void> {
  await openPage(page, url)
  await expectReadable(page)
  expect(await page.getByText(ERROR).filter({ visible: true }).allTextContents()).to.deep.equal([])
}
