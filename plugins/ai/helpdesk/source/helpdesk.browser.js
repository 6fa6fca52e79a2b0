/**
 * The helpdesk button and its dialog: chat, contact form, or both. Loaded by every page; reads its settings from a JSON
 * block in the page.
 */
import { contactForm } from './contact.browser.js'
import { conversation } from './conversation.browser.js'
import { button, make } from './make.browser.js'
import { begin } from './routes.browser.js'
import { readSettings, settings, texts } from './settings.browser.js'
import { STYLES } from './styles.browser.js'

function openHelpdesk() {
  const talk = settings.conversation && conversation(write)
  const contact = contactForm(talk && (() => show(talk)))
  let current = talk ?? contact

  const panel = make(
    'section',
    { id: 'panel', class: `panel ${settings.position}`, role: 'dialog', 'aria-labelledby': 'title', keydown: onKey },
    make(
      'header',
      {},
      make('h2', { id: 'title' }, texts.title),
      make('button', { type: 'button', class: 'close', 'aria-label': texts.close, click: close }, '×'),
    ),
    current.view,
  )
  const opener = button(texts.open, open, `open ${settings.position}`)
  opener.setAttribute('aria-haspopup', 'dialog')
  panel.hidden = true

  function open() {
    begin()
    panel.hidden = false
    opener.hidden = true
    current.focus()
  }

  function close() {
    panel.hidden = true
    opener.hidden = false
    opener.focus()
  }

  function onKey(event) {
    if (event.key === 'Escape' && !event.isComposing) close()
  }

  function write(message) {
    contact.suggest(message)
    show(contact)
  }

  function show(other) {
    current.view.replaceWith(other.view)
    current = other
    current.focus()
  }

  const host = make('div', { class: 'ai-helpdesk' })
  const root = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(STYLES)
  root.adoptedStyleSheets = [sheet]
  root.append(opener, panel)
  document.body.append(host)
}

if (readSettings('#ai-helpdesk')) openHelpdesk()
