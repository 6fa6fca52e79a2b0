/** Install prompts. */
import { isApp, isIos } from './browser.browser.js'
import { button, element, leave } from './element.browser.js'
import { launch } from './launcher.browser.js'
import { settings, texts } from './settings.browser.js'
import { dismiss, isDismissed, isFirstVisit } from './storage.browser.js'
import { dialog, island, notice } from './surface.browser.js'
import { hasUnsaved } from './unsaved.browser.js'

/** Days for which a dismissed prompt is not shown again. */
const REST = 14

/** Functions that remove the visible prompts. */
const shown = []

export function showInstallPrompts() {
  if (isApp()) return
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    later(() => offer(() => installWith(event)))
  })
  addEventListener('appinstalled', removeAll)
  // Safari has no install prompt, so visitors get instructions.
  if (isIos()) later(() => offer(tellHow))
}

function tellHow() {
  dialog(texts.iosTitle, texts.iosText)
  rest()
}

/** Dismisses all prompts except those that are always there. */
function rest() {
  for (const kind of settings.install.kinds) if (!['launcher', 'navigationMenu'].includes(kind)) dismiss(kind)
}

function later(show) {
  const { delaySeconds, skipFirstVisit } = settings.install
  if (!(skipFirstVisit && isFirstVisit())) setTimeout(show, delaySeconds * 1000)
}

async function installWith(event) {
  removeAll()
  const choice = await event.prompt()
  if (choice?.outcome === 'dismissed') rest()
}

function removeAll() {
  for (const remove of shown.splice(0)) remove()
}

/** Shows all prompts in the page and one above it. */
function offer(install) {
  removeAll()
  const { kinds } = settings.install
  const wanted = (kind) => kinds.includes(kind) && !isDismissed(kind, REST)
  for (const kind of Object.keys(IN_PAGE).filter(wanted)) {
    const remove = IN_PAGE[kind](install, kind)
    if (remove) shown.push(remove)
  }
  // A dialog takes the focus, so not while the visitor is typing.
  const fits = (kind) => kind !== 'blogPopup' || (settings.install.isPost && !hasUnsaved())
  const above = Object.keys(ABOVE).find((kind) => wanted(kind) && fits(kind))
  if (above) shown.push(ABOVE[above](install, above))
}

const text = () => settings.install.text || texts.installText

const ABOVE = {
  blogPopup: (install, kind) => dialog(texts.install, text(), [[texts.install, install]], () => dismiss(kind)),
  headerBanner: (install, kind) =>
    notice(text(), [[texts.install, install]], { place: 'top', dismissed: () => dismiss(kind) }),
  snackbar: (install, kind) => notice(text(), [[texts.install, install]], { dismissed: () => dismiss(kind) }),
}

const IN_PAGE = {
  launcher(install) {
    const entry = launch('install', texts.install, install)
    return () => leave(entry, entry.nextSibling ?? entry.previousSibling)
  },
  navigationMenu(install) {
    const menu = document.querySelector('header nav ul, nav ul')
    return (
      menu &&
      place(element('li', {}, island(button(texts.install, install, 'menu'), 'menu')), (entry) => menu.append(entry))
    )
  },
  inFeed(install, kind) {
    const posts = [...document.querySelectorAll('main article')]
    // Below the visible area, to avoid a layout shift.
    const before = posts.find((post, at) => at > 0 && post.getBoundingClientRect().bottom >= innerHeight)
    return posts.length > 2 && place(card(install, kind), (offered) => (before ?? posts.at(-1)).after(offered))
  },
  checkout(install, kind) {
    const main = /\/checkout(\/|$)/i.test(location.pathname) && document.querySelector('main')
    // At the end, to avoid a layout shift in the form.
    return main && place(card(install, kind), (offered) => main.append(offered))
  },
}

function place(offered, put) {
  put(offered)
  return () => offered.remove()
}

function card(install, kind) {
  const wave = () => {
    offered.remove()
    dismiss(kind)
  }
  const offered = island(
    element(
      'aside',
      { className: 'notice inline', attributes: { 'aria-label': texts.install } },
      element('p', { textContent: text() }),
      button(texts.install, install, 'primary'),
      button(texts.notNow, wave),
    ),
    'install',
  )
  return offered
}
