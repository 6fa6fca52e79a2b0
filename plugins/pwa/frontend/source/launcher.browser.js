/** The launcher: the buttons of the app in one place, at the end of the page or in a corner of the window. */
import { element } from './element.browser.js'
import { icon } from './icons.browser.js'
import { settings } from './settings.browser.js'
import { island, show } from './surface.browser.js'

let launcher

/** Adds a button with an icon. In a corner, its label is only for screen readers. */
export function launch(name, label, listener) {
  if (!launcher) {
    launcher = element('div', { className: `launcher ${settings.launcher}` })
    if (settings.launcher !== 'page-end') show(launcher)
    else (document.querySelector('body > footer') ?? document.body).append(island(launcher, 'launcher'))
  }
  const text = element('span', { textContent: label })
  const button = element('button', { type: 'button', title: label, on: { click: listener } }, icon(name), text)
  launcher.append(button)
  return button
}
