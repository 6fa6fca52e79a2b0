/** Opens the device's share dialog. */
import { element } from './element.browser.js'
import { icon } from './icons.browser.js'
import { settings, texts } from './settings.browser.js'
import { show } from './surface.browser.js'

export function showShareButton() {
  if (!navigator.share) return
  const share = () => {
    const url = document.querySelector('link[rel="canonical"]')?.href ?? location.href
    // Closing the dialog is not an error.
    navigator.share({ title: document.title, url }).catch(() => {})
  }
  // Avoids the corner of the bell button.
  const corner = settings.push?.button === 'bottom-right' ? 'bottom-left' : 'bottom-right'
  const button = element(
    'button',
    { type: 'button', className: `corner ${corner}`, title: texts.share, attributes: { 'aria-label': texts.share } },
    icon('share'),
  )
  button.addEventListener('click', share)
  show(button)
}
