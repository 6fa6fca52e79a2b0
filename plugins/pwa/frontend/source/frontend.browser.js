/**
 * Front end of the app, loaded by every page. Reads its settings from a JSON block, so that a Content-Security-Policy
 * needs no exception.
 */
import { showInstallPrompts } from './install.browser.js'
import { showConnectionState } from './offline-notice.browser.js'
import { pullToRefresh } from './pull-to-refresh.browser.js'
import { showPushPrompts } from './push.browser.js'
import { register, unregister } from './registration.browser.js'
import { showScrollProgress } from './scroll-progress.browser.js'
import { settings } from './settings.browser.js'
import { showShareButton } from './share-button.browser.js'
import { reportUsage } from './usage.browser.js'
import { vibrateOnTaps } from './vibration.browser.js'
import { keepScreenOn } from './wake-lock.browser.js'

const parts = [
  [settings.worker, register],
  [settings.withoutWorker, unregister],
  [true, reportUsage],
  [settings.install, showInstallPrompts],
  [settings.push, showPushPrompts],
  [settings.offlineNotice, showConnectionState],
  [settings.shareButton, showShareButton],
  [settings.pullToRefresh, pullToRefresh],
  [settings.scrollProgress, showScrollProgress],
  [settings.screenWakeLock, keepScreenOn],
  [settings.vibration, vibrateOnTaps],
]

// A feature that the browser does not support must not break the others.
for (const [isOn, start] of parts) {
  if (isOn)
    Promise.resolve()
      .then(start)
      .catch(() => {})
}
