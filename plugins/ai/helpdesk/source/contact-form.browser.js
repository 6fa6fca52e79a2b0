/** The contact form of a page: the block `pentad/contact-form`. A page has one. */
import { contactForm } from './contact.browser.js'
import { make } from './make.browser.js'
import { begin } from './routes.browser.js'
import { readSettings } from './settings.browser.js'
import { STYLES } from './styles.browser.js'

/** The look of the theme. Its custom properties apply here too. */
const IN_PAGE = `
:host { display: block; color-scheme: inherit; font: inherit; color: inherit }
.view { padding: 0; overflow: visible }
input, textarea { background: transparent; border-color: color-mix(in srgb, currentcolor 60%, transparent);
  border-radius: var(--radius, .5rem) }
.primary { align-self: start; background: var(--accent, CanvasText); color: var(--on-accent, Canvas); border: 0;
  border-radius: var(--radius, .5rem) }
`

function showForm(data) {
  const host = make('div', {})
  const root = host.attachShadow({ mode: 'open' })
  root.adoptedStyleSheets = [STYLES, IN_PAGE].map((styles) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(styles)
    return sheet
  })
  root.append(contactForm().view)
  root.addEventListener('focusin', begin, { once: true })
  data.before(host)
}

const data = readSettings('.contact-form-data')
if (data) showForm(data)
