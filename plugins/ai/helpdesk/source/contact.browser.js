/** The contact form. */
import { button, make } from './make.browser.js'
import { post, waitForMinimumTime } from './routes.browser.js'
import { texts } from './settings.browser.js'

const FIELDS = [
  ['name', 'input', { type: 'text', autocomplete: 'name', maxlength: '100', required: '' }],
  ['email', 'input', { type: 'email', autocomplete: 'email', maxlength: '254', required: '' }],
  ['subject', 'input', { type: 'text', maxlength: '150' }],
  ['message', 'textarea', { rows: '5', maxlength: '5000', required: '' }],
]

/**
 * @param askInstead switches to the chat, if AI answers are enabled
 * @returns the view, and a function that prefills the message unless the visitor has typed one
 */
export function contactForm(askInstead) {
  const fields = FIELDS.map(([name, kind, attributes]) => field(name, kind, attributes))
  const status = make('p', { role: 'status' })
  const submit = make('button', { type: 'submit', class: 'primary' }, texts.send)
  const form = make(
    'form',
    { novalidate: '', submit: onSubmit },
    make('p', {}, texts.contactText),
    ...fields.map(({ row }) => row),
    trap(),
    status,
    submit,
  )
  const back = askInstead ? [button(texts.askInstead, askInstead)] : []
  const view = make('div', { class: 'view' }, form, ...back)
  const message = fields.at(-1).input

  async function onSubmit(event) {
    event.preventDefault()
    if (submit.getAttribute('aria-disabled') === 'true') return
    status.textContent = ''
    const wrong = fields.filter(({ check }) => !check())
    if (wrong.length > 0) return wrong[0].input.focus()
    submit.setAttribute('aria-disabled', 'true')
    status.textContent = texts.sending
    await waitForMinimumTime()
    const {
      status: answered,
      code,
      data,
    } = await post('contact', Object.fromEntries(Array.from(new FormData(form), withoutControls)))
    submit.removeAttribute('aria-disabled')
    if (answered === 200) return thank()
    const refused = fields.filter(({ input }) => data?.params?.[input.name])
    for (const { refuse } of refused) refuse()
    refused[0]?.input.focus()
    status.textContent = refused.length > 0 ? '' : failure(answered, code)
  }

  function thank() {
    const again = button(texts.another, () => {
      message.value = ''
      status.textContent = ''
      view.replaceChildren(form, ...back)
      message.focus()
    })
    const thanks = make('p', { tabindex: '-1', role: 'status' }, texts.sent)
    view.replaceChildren(thanks, again, ...back)
    thanks.focus()
  }

  return {
    view,
    focus: () => (fields.find(({ input }) => input.isConnected && input.value === '')?.input ?? submit).focus(),
    suggest(text) {
      if (message.value === '') message.value = text
    },
  }
}

/** Pasted text can contain control characters, which the site rejects. */
const withoutControls = ([name, value]) => [name, value.replace(/[^\P{Cc}\n\r]/gu, ' ').trim()]

function failure(status, code) {
  if (code === 'ai_helpdesk_too_quick') return texts.tooQuick
  return status === 429 ? texts.tooMany : texts.notSent
}

/** A field with its label and error message. */
function field(name, kind, attributes) {
  const error = make('span', { id: `${name}-error`, class: 'error' })
  const input = make(kind, { name, dir: 'auto', 'aria-describedby': error.id, ...attributes })
  const say = (problem) => {
    input.setAttribute('aria-invalid', String(problem !== ''))
    error.textContent = problem
  }
  const check = () => {
    const { valid, typeMismatch } = input.validity
    say(valid ? '' : typeMismatch ? texts.badEmail : texts.required)
    return valid
  }
  const refuse = () => say(name === 'email' ? texts.badEmail : texts.required)
  input.addEventListener('input', () => error.textContent !== '' && check())
  const label = make('span', { class: 'required' in attributes ? 'required' : undefined }, texts[name])
  return { row: make('div', {}, make('label', {}, label, input), error), input, check, refuse }
}

/** Honeypot field: invisible and unreachable for people, filled in by bots. */
function trap() {
  const input = make('input', { name: 'website', tabindex: '-1', autocomplete: 'off' })
  return make('div', { class: 'trap', 'aria-hidden': 'true' }, make('label', {}, 'Website', input))
}
