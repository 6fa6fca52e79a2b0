/** Short vibration on taps. */
import { wantsLessMotion } from './browser.browser.js'

/** Milliseconds. */
const SHORT = 10

export function vibrateOnTaps() {
  if (!navigator.vibrate || wantsLessMotion()) return
  addEventListener('click', (event) => {
    // `event.target` is retargeted in our shadow roots.
    const [target] = event.composedPath()
    if (event.isTrusted && target.closest?.('a, button, summary, [role="button"]')) navigator.vibrate(SHORT)
  })
}
