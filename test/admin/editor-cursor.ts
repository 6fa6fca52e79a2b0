import type { Locator, Page } from 'playwright-core'

/**
 * Puts the cursor at the end of the line of the editor with this text.
 *
 * Soon after it has got the focus, the editor selects again what it last knew to be selected. On a slow machine, this undoes a click and a key that
 * the browser has not reported to it yet, so it is asked where the cursor is.
 */
export async function clickAtEndOfLine(page: Page, text: Locator): Promise<void> {
  await text.click()
  do await page.keyboard.press('End')
  while (!(await isAtEndOfLine(page)))
}

const isAtEndOfLine = (page: Page) =>
  page.evaluate<boolean>(`(() => {
    const { $from } = document.activeElement.editor.state.selection
    return $from.parentOffset > 0 && $from.parentOffset === $from.parent.content.size
  })()`)
