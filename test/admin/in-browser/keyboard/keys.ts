import type { Page } from 'playwright-core'
import { until } from '../../../support/until.ts'
import { type AdminSite, expectAccessible, settled } from '../../admin-site.ts'

interface Focus {
  /** How the element is labeled; empty if nothing has the focus. */
  readonly name: string
  /** Why someone who looks at the page does not see where the focus is; empty if it is seen. */
  readonly fault: string
}

/** What has the focus: in the page, or in the shadow root of a part of it. */
const READ_FOCUS = `(async () => {
  let it = document.activeElement
  while (it?.shadowRoot?.activeElement) it = it.shadowRoot.activeElement
  if (!it || it === document.body) return { name: '', fault: '' }
  const label = it.getAttribute('aria-label') ?? it.labels?.[0]?.textContent ?? (it.title || it.textContent)
  const name = (label ?? '').replace('*', '').replace(/\\s+/g, ' ').trim()
  const fault = (text) => ({ name, fault: text + ': ' + it.cloneNode().outerHTML.slice(0, 300) })
  // Headings, rows, and parts of a page have the focus only until the next key.
  const isStop = it.tabIndex >= 0 || it.matches('button, a')
  if (!isStop || it.matches('iframe')) return { name, fault: '' }
  const shown = [it, it.nextElementSibling, it.labels?.[0]].filter(Boolean)
  // The cursor shows it, too.
  const isText = it.isContentEditable || it.matches('textarea, input:not([type=checkbox], [type=radio], [type=file], [readonly])')
  if (!isText && !shown.some(isOutlined)) {
    // Chromium at times never settles these.
    const rest = new Promise((resolve) => setTimeout(resolve, 1000))
    await Promise.race([rest, Promise.allSettled(it.getAnimations().map(({ finished }) => finished))])
    if (!hasOtherBorder(it)) return fault('focus not visible')
  }
  // A text may be higher than the window; the cursor is what scrolls into view.
  if (!it.isContentEditable && !shown.some((one) => isOnTop(one))) return fault('focus covered or outside of the window')
  return { name, fault: '' }

  function isOutlined(one) {
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(one)
    return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1 && !/, 0\\)$/.test(outlineColor)
  }
  function hasOtherBorder(one) {
    const focused = getComputedStyle(one).borderTopColor
    const twin = one.cloneNode()
    for (const name of ['id', 'name']) twin.removeAttribute(name)
    one.after(twin)
    const usual = getComputedStyle(twin).borderTopColor
    twin.remove()
    return focused !== usual
  }
  function isOnTop(one) {
    const { left, top, width, height } = one.getBoundingClientRect()
    if (width < 1 || height < 1) return false
    return [0.02, 0.5, 0.98].some((x) => [0.05, 0.5, 0.95].some((y) => {
      const at = one.getRootNode().elementFromPoint(left + width * x, top + height * y)
      // A notification goes away.
      return at !== null && (one.contains(at) || at.contains(one) || at.closest('.mantine-Notifications-root') !== null)
    }))
  }
})()`

/** What has the focus, as it is labeled. */
export const focused = async (page: Page): Promise<string> => (await page.evaluate<Focus>(READ_FOCUS)).name

/**
 * Presses Tab, or another key, until something has the focus, like someone who does not use a mouse.
 *
 * @throws Error if the focus does not get there, or is not visible on its way
 */
export async function tabTo(page: Page, name: string | RegExp, key = 'Tab'): Promise<void> {
  // A dialog that has just opened takes the focus a moment later.
  await until(() =>
    page.evaluate<boolean>(`(() => {
    const open = [...document.querySelectorAll('[aria-modal="true"]')]
    return open.length === 0 || open.some((dialog) => dialog.contains(document.activeElement))
  })()`),
  )
  const passed: string[] = []
  for (let stops = 0; stops < 150; stops++) {
    const { name: now, fault } = await page.evaluate<Focus>(READ_FOCUS)
    if (fault !== '') throw new Error(`On the way to ${name}: ${fault}`)
    if (isName(now, name)) return
    passed.push(now)
    await page.keyboard.press(key)
  }
  throw new Error(`${key} does not lead to ${name}, but to ${passed.join(', ')}.`)
}

const isName = (name: string, wanted: string | RegExp) =>
  typeof wanted === 'string' ? name === wanted : wanted.test(name)

/** Someone at a keyboard, who sees the page but has no mouse. */
export interface Keys {
  readonly page: Page
  /** Goes to the element with that name. @param key `Tab` by default */
  to(name: string | RegExp, key?: string): Promise<void>
  /** Goes there and presses a key, `Enter` by default. */
  press(name: string | RegExp, key?: string): Promise<void>
  /** Goes to a field and replaces its text. */
  type(field: string | RegExp, text: string): Promise<void>
  /** Goes to a list of options, opens it, and chooses one. */
  choose(field: string | RegExp, option: string): Promise<void>
  /** Presses keys one after the other. */
  keys(...keys: readonly string[]): Promise<void>
  /** Waits until the focus is there. */
  arriveAt(name: string | RegExp): Promise<void>
  /** Goes to the start of a screen's content, past the navigation, as the first stop of the page allows. */
  open(path: string): Promise<void>
  /** The page as it is now is readable, and something has the focus. */
  look(): Promise<void>
}

/** An owner at a keyboard, and their site. */
export interface Walk {
  readonly admin: AdminSite
  readonly keys: Keys
}

export function keysOf(page: Page, url: string): Keys {
  const { keyboard } = page
  const to = (name: string | RegExp, key?: string) => tabTo(page, name, key)
  async function keys(...pressed: readonly string[]): Promise<void> {
    for (const key of pressed) await keyboard.press(key)
  }
  async function press(name: string | RegExp, key = 'Enter'): Promise<void> {
    await to(name)
    await keyboard.press(key)
  }
  async function arriveAt(name: string | RegExp): Promise<void> {
    let now = ''
    await until(async () => {
      now = await focused(page)
      return isName(now, name)
    }).catch((cause) => {
      throw new Error(`The focus is not at ${name}, but at “${now}”.`, { cause })
    })
  }
  return {
    ...{ page, to, press, keys, arriveAt },
    async type(field, text) {
      await to(field)
      await keys('Control+a')
      await keyboard.type(text)
    },
    async choose(field, option) {
      await press(field)
      const name = page.getByRole('option', { name: option, exact: true })
      await name.waitFor()
      const isActive = () => name.evaluate((one) => one.matches('[data-combobox-selected]'))
      for (let moves = 0; moves < 50 && !(await isActive()); moves++) await keyboard.press('ArrowDown')
      await keyboard.press('Enter')
      await name.waitFor({ state: 'hidden' })
      await arriveAt(field)
    },
    async open(path) {
      await page.goto(url + path)
      await page.locator('main h1').first().waitFor()
      await settled(page)
      await press('Skip to main content')
    },
    async look() {
      await expectAccessible(page)
      await until(async () => page.evaluate('document.activeElement !== document.body'))
    },
  }
}
