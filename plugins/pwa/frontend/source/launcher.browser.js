/** The launcher: the buttons of the app in one place, at the end of the page or in a corner of the window. */
import { element } from './element.browser.js'
import { icon } from './icons.browser.js'
import { settings } from './settings.browser.js'
import { island, show } from './surface.browser.js'

let launcher

/** Gives the element around it, the last one of the page, its height, so that it does not cover the end of the page. */
function leaveRoom() {
  launcher.parentNode.style.height = `${launcher.offsetHeight + 32}px`
}

/** Adds a button with an icon. In a corner, its label is only for screen readers. */
export function launch(name, label, listener) {
  if (!launcher) {
    launcher = element('div', { className: `launcher ${settings.launcher}` })
    if (settings.launcher === 'page-end') {
      const end = document.querySelector('body > footer') ?? document.body
      end.append(island(launcher, 'launcher'))
    } else show(launcher)
    if (settings.launcher.startsWith('bottom')) new ResizeObserver(leaveRoom).observe(launcher)
  }
  const text = element('span', { textContent: label })
  const button = element('button', { type: 'button', title: label, on: { click: listener } }, icon(name), text)
  launcher.append(button)
  return button
}
