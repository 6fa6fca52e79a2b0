/** Pull to refresh, since the installed app has no reload button. */
import { isApp } from './browser.browser.js'
import { element } from './element.browser.js'
import { texts } from './settings.browser.js'
import { show } from './surface.browser.js'
import { hasUnsaved } from './unsaved.browser.js'

/** Distance in pixels. */
const ENOUGH = 96

export function pullToRefresh() {
  if (!isApp()) return
  document.documentElement.style.overscrollBehaviorY = 'contain'
  let start
  let pulled = 0
  let hint

  const end = () => {
    hint?.remove()
    hint = start = undefined
    pulled = 0
  }
  addEventListener(
    'touchstart',
    (event) => {
      const { touches } = event
      // Nested scroll containers must be at the top too.
      const isAtTop = event.composedPath().every(({ scrollTop = 0 }) => scrollTop <= 0)
      start = touches.length === 1 && isAtTop && scrollY <= 0 && !hasUnsaved() ? touches[0].clientY : undefined
    },
    { passive: true },
  )
  addEventListener(
    'touchmove',
    ({ touches }) => {
      if (start === undefined) return
      pulled = touches[0].clientY - start
      if (pulled < ENOUGH / 4) return
      if (!hint) {
        hint = element('p', { className: 'notice top', attributes: { 'aria-hidden': 'true' } })
        show(hint)
      }
      hint.textContent = pulled >= ENOUGH ? texts.release : texts.pull
    },
    { passive: true },
  )
  addEventListener('touchend', () => {
    if (start !== undefined && pulled >= ENOUGH && scrollY <= 0) location.reload()
    end()
  })
  addEventListener('touchcancel', end)
}
