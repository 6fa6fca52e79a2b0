/** Shadow DOM for UI of the app, isolated from the theme's styles. */
import { button, element, leave } from './element.browser.js'
import { texts } from './settings.browser.js'
import { STYLES } from './styles.browser.js'

/** Wraps the content in a shadow root. */
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

/** Shows the content above the page. @returns a function that removes it */
export function show(content) {
  if (!surface) {
    surface = element('div', { className: 'surface' })
    document.body.append(island(surface, 'surface'))
  }
  surface.append(content)
  return () => content.remove()
}

const stacks = {}

/** Stacks messages at one edge of the window, so that none covers another. */
function pile(content, place) {
  stacks[place] ??= element('div', { className: `stack ${place}` })
  show(stacks[place])
  stacks[place].append(content)
  makeRoom(stacks[place])
}

/** Lets the page scroll so far that messages do not cover what has the focus. */
function makeRoom(stack) {
  const { style } = document.documentElement
  const { height } = stack.getBoundingClientRect()
  style.scrollPaddingBlock = style.paddingBottom = height ? `${height + 32}px` : ''
}

/**
 * A message with buttons at an edge of the window. Announced by screen readers; does not take the focus.
 * @param actions pairs of label and listener; each closes the notice
 * @returns a function that removes it
 */
export function notice(text, actions = [], { place = 'bottom', dismissed } = {}) {
  let before
  /** The focus in it returns to where it was before; what is in another shadow root is known only by its host. */
  const remove = () => {
    leave(content, before?.shadowRoot?.querySelector('button:last-child') ?? before)
    makeRoom(stacks[place])
  }
  const close = (listener) => () => {
    remove()
    listener?.()
  }
  const content = element(
    'section',
    {
      className: `notice ${place}`,
      attributes: { role: 'status' },
      on: {
        focusin: ({ relatedTarget }) => {
          if (!content.contains(relatedTarget)) before = relatedTarget
        },
      },
    },
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
  pile(content, place)
  return remove
}

/** A notice that disappears automatically. */
export function toast(text) {
  setTimeout(notice(text), 6000)
}

/** A modal dialog. @returns a function that removes it */
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
