/** Opens the device's share dialog. */
import { launch } from './launcher.browser.js'
import { texts } from './settings.browser.js'

export function showShareButton() {
  if (!navigator.share) return
  launch('share', texts.share, () => {
    const url = document.querySelector('link[rel="canonical"]')?.href ?? location.href
    // Closing the dialog is not an error.
    navigator.share({ title: document.title, url }).catch(() => {})
  })
}
