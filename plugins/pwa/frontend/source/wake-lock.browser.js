/** Keeps the screen on while the installed app is open. Browsers release the lock when the page is hidden. */
import { isApp } from './browser.browser.js'

export function keepScreenOn() {
  if (!navigator.wakeLock || !isApp()) return
  // Rejected when the battery is low.
  const hold = () => document.visibilityState === 'visible' && navigator.wakeLock.request('screen').catch(() => {})
  document.addEventListener('visibilitychange', hold)
  hold()
}
