import type { Page } from 'playwright-core'

/** What has the focus, as it is labeled. */
export function focused(page: Page): Promise<string> {
  return page.evaluate(`(() => {
    const { activeElement: it } = document
    if (!it) return ''
    const label = it.getAttribute('aria-label') ?? it.labels?.[0]?.textContent ?? it.textContent
    return (label ?? '').replace('*', '').trim()
  })()`)
}

/** Presses Tab, or another key, until something has the focus, like someone who does not use a mouse. */
export async function tabTo(page: Page, name: string, key = 'Tab'): Promise<void> {
  const passed: string[] = []
  for (let stops = 0; stops < 80; stops++) {
    const now = await focused(page)
    if (now === name) return
    passed.push(now)
    await page.keyboard.press(key)
  }
  throw new Error(`${key} does not lead to ${name}, but to ${passed.join(', ')}.`)
}
