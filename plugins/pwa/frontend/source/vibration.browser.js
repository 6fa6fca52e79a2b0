/** A short vibration when something is tapped. */
import { wantsLessMotion } from './browser.browser.js'

/** Milliseconds. */
const SHORT = 10

export function vibrateOnTaps() {
  if (!navigator.vibrate || wantsLessMotion()) return
  addEventListener('click', (event) => {
    // Things of ours are hidden in their island.
    const [target] = event.composedPath()
    if (event.isTrusted && target.closest?.('a, button, summary, [role="button"]')) navigator.vibrate(SHORT)
  })
}
