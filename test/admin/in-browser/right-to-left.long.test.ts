import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { siteWith } from '../../speed/cached-site.ts'
import { type AdminSite, openAdminSite, settled } from '../admin-site.ts'
import { addPseudoLocale, pseudoText, withoutTranslated } from '../pseudo-locale.ts'
import { dataOf } from '../written-client.ts'

const ADMIN = '/wp-admin/'
/** Screens that the navigation does not lead to. */
const OTHER_SCREENS = ['posts/new', 'users/new', 'users/1', 'extensions/speed']
/** Latin letters that are no language; what the server says in its own words is known from its answers. */
const EXCEPTIONS: Readonly<Record<string, RegExp>> = {
  'a sample of a font': /^Aa$/,
  'initials of a user without a picture': /^\p{Lu}{2}$/u,
  'names of image formats': /^(WebP|AVIF)$/,
  'addresses and their paths': /^(https?:\/)?\/\S*$/,
  'times in a format that the site shows, not the admin': /^\d+:\d+ (?:am|pm)$/i,
  'the name of an app as Android cuts it': /^Oracle Gazet$/,
}

/** The texts that can be seen or heard, each on a line. Code, and what users type, is in no language. */
const TEXTS = `[
  ...(function* () {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const { parentElement: element } = node
      if (element.checkVisibility() && !element.closest('script, style, code, pre, kbd, [contenteditable]')) yield node.data
    }
  })(),
  ...[...document.querySelectorAll(':is([aria-label], [placeholder], [title], [alt]):not([aria-hidden])')].flatMap((element) =>
    ['aria-label', 'placeholder', 'title', 'alt'].flatMap((name) => element.getAttribute(name) ?? [])),
].join('\\n')`

describe('The admin in a language that is written from right to left', () => {
  let admin: AdminSite
  let page: Page
  /** What the server sent: content, names, and its own texts. */
  const sent = new Set<string>()

  before(async () => {
    const siteDir = siteWith({ preload: 'off' })
    await addPseudoLocale(siteDir)
    admin = await openAdminSite({ config: { siteDir } })
    page = await admin.signIn()
    const { auth } = admin.site.host
    const user = await auth.users.getByLogin('the-administrator')
    await auth.users.update(user?.id ?? 0, { locale: 'ar' })
    page.on('response', async (response) => {
      // The client translates the texts of settings.
      if (response.url().includes('/settings-schema/')) return
      if (response.headers()['content-type']?.startsWith('application/json')) {
        remember(await response.json().catch(() => null))
      }
    })
    await visit('')
  })
  after(() => admin.close())

  function remember(value: unknown): void {
    if (typeof value === 'string') {
      const withoutTags = value.replace(/<[^>]*>/g, '')
      for (const text of [...value.split(/<[^>]*>|\n/), ...withoutTags.split('\n')]) sent.add(plain(text))
    } else if (value !== null && typeof value === 'object') {
      for (const [key, one] of Object.entries(value)) if (key !== 'messages') remember(one)
    }
  }

  async function visit(path: string): Promise<void> {
    const response = await page.goto(admin.site.url + ADMIN + path)
    remember(dataOf((await response?.text()) ?? ''))
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await settled(page)
  }

  /** Texts of the screen that nobody translated. */
  async function leaks(): Promise<string[]> {
    const texts = withoutTranslated(String(await page.evaluate(TEXTS)))
      .split('\n')
      .map(plain)
    return [...new Set(texts)].filter(
      (text) =>
        /\p{Script=Latin}{2}/u.test(text) &&
        !sent.has(text) &&
        !Object.values(EXCEPTIONS).some((known) => known.test(text)),
    )
  }

  const navigation = () => page.getByRole('navigation').first()

  it('turns the layout: the navigation is on the right', async () => {
    expect(await page.evaluate('[document.documentElement.dir, document.documentElement.lang]')).to.deep.equal([
      'rtl',
      'ar',
    ])
    const box = await navigation().boundingBox()
    const { width } = page.viewportSize() ?? { width: 0 }
    expect(box?.x).to.be.greaterThan(width / 2)
  })

  it('translates the labels of posts, which the server sends', async () => {
    await visit('posts')
    const title = page.getByRole('heading', { level: 1 })
    expect(await title.textContent()).to.equal(pseudoText('Posts'))
    await page.getByRole('link', { name: pseudoText('Add New Post') }).click()
    await title.filter({ hasText: pseudoText('Add New Post') }).waitFor()
  })

  it('shows no English text on any screen', async () => {
    const found: Record<string, string[]> = {}
    const paths = new Set(['', ...OTHER_SCREENS])
    for (const path of paths) {
      await visit(path)
      const hrefs = await navigation()
        .getByRole('link')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
      for (const href of hrefs) if (href) paths.add(href.slice(ADMIN.length))
      const left = await leaks()
      if (left.length > 0) found[path] = left
    }
    expect(paths.size).to.be.greaterThan(30)
    expect(found).to.deep.equal({})
  })
})

const plain = (text: string) =>
  text
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .trim()
