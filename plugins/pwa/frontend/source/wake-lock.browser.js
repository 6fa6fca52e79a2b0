/** The screen stays on while the installed app is open. Browsers let go of it whenever it is hidden. */
import { isApp } from './browser.browser.js'

export function keepScreenOn() {
  if (!navigator.wakeLock || !isApp()) return
  // Refused when the battery is low.
  const hold = () => document.visibilityState === 'visible' && navigator.wakeLock.request('screen').catch(() => {})
  document.addEventListener('visibilitychange', hold)
  hold()
}
