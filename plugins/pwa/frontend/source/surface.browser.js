/** Where the app shows something above the page: out of reach of the theme's styles, and the other way round. */
import { button, element } from './element.browser.js'
import { texts } from './settings.browser.js'
import { STYLES } from './styles.browser.js'

/** An element of ours at any place of the page, with its content shut off. */
export function island(content, name) {
  const host = element('div', { className: `pwa-${name}` })
  const root = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(STYLES)
  root.adoptedStyleSheets = [sheet]
  root.append(content)
  return host
}

let surface

/** Puts something above the page. @returns what removes it */
export function show(content) {
  if (!surface) {
    surface = element('div', { className: 'surface' })
    document.body.append(island(surface, 'surface'))
  }
  surface.append(content)
  return () => content.remove()
}

const stacks = {}

/** Messages at one edge of the window stand above each other: none hides another one's buttons. */
function pile(content, place) {
  stacks[place] ??= element('div', { className: `stack ${place}` })
  show(stacks[place])
  stacks[place].append(content)
  return () => content.remove()
}

/**
 * A message with buttons at an edge of the window. Screen readers say it; it takes no focus from what one writes.
 * @param actions pairs of text and listener; the notice goes with each
 * @returns what removes it
 */
export function notice(text, actions = [], { place = 'bottom', dismissed } = {}) {
  const close = (listener) => () => {
    content.remove()
    listener?.()
  }
  const content = element(
    'section',
    { className: `notice ${place}`, attributes: { role: 'status' } },
    element('p', { textContent: text }),
    ...actions.map(([label, listener]) => button(label, close(listener), 'primary')),
    element('button', {
      type: 'button',
      className: 'close',
      textContent: '×',
      attributes: { 'aria-label': texts.close },
      on: { click: close(dismissed) },
    }),
  )
  return pile(content, place)
}

/** A notice that goes by itself. */
export function toast(text) {
  setTimeout(notice(text), 6000)
}

/** A window of its own, in which the focus stays until it is closed. @returns what removes it */
export function dialog(title, text, actions = [], dismissed) {
  const content = element(
    'dialog',
    { attributes: { 'aria-labelledby': 'title' }, on: { close: () => content.remove(), cancel: () => dismissed?.() } },
    element('h2', { id: 'title', textContent: title }),
    element('p', { textContent: text }),
  )
  const close = (listener) => () => {
    content.close()
    listener?.()
  }
  content.append(
    element(
      'p',
      { className: 'buttons' },
      ...actions.map(([label, listener]) => button(label, close(listener), 'primary')),
      button(actions.length > 0 ? texts.notNow : texts.close, close(dismissed)),
    ),
  )
  const remove = show(content)
  content.showModal()
  return remove
}
