/** The chat. */
import { button, make } from './make.browser.js'
import { post } from './routes.browser.js'
import { texts } from './settings.browser.js'

/** Error codes after which only the contact form is available. */
const OVER = new Set(['rest_no_route', 'ai_helpdesk_off', 'ai_no_provider', 'ai_limit_reached'])

/** @param writeInstead switches to the contact form, with the last question */
export function conversation(writeInstead) {
  let id
  let last = ''
  const log = make('div', { class: 'log', role: 'log', tabindex: '0', 'aria-label': texts.title }, said(texts.hello))
  const input = make('textarea', { name: 'question', rows: '2', maxlength: '1000', dir: 'auto', keydown: onKey })
  const submit = make('button', { type: 'submit', class: 'primary' }, texts.ask)
  const form = make(
    'form',
    { submit: onSubmit },
    make('label', {}, make('span', { class: 'label' }, texts.question), input),
    submit,
  )
  const view = make(
    'div',
    { class: 'view' },
    log,
    form,
    button(texts.writeInstead, () => writeInstead(last)),
  )

  function onKey(event) {
    // Enter also confirms the composition of a character in Chinese or Japanese.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
    event.preventDefault()
    form.requestSubmit()
  }

  async function onSubmit(event) {
    event.preventDefault()
    const question = input.value.trim()
    if (question === '' || submit.getAttribute('aria-disabled') === 'true') return
    last = question
    input.value = ''
    add(said(question, 'visitor'))
    const waiting = add(said(texts.thinking))
    submit.setAttribute('aria-disabled', 'true')
    const answer = await ask(question)
    submit.removeAttribute('aria-disabled')
    waiting.remove()
    if (answer.status === 200) return show(answer.data)
    if (OVER.has(answer.code)) return writeInstead(question)
    add(said(answer.status === 429 ? texts.tooMany : texts.notSent))
    input.value ||= question
  }

  async function ask(message) {
    const answer = await post('ai-response', { message, ...(id && { conversationId: id }) })
    if (answer.code !== 'conversation_not_found') return answer
    id = undefined
    return post('ai-response', { message })
  }

  function show({ reply, sources, handOver, conversationId }) {
    id = conversationId
    const entry = add(said(reply))
    if (sources.length > 0) entry.append(make('p', {}, texts.sources), make('ul', {}, ...sources.map(source)))
    if (handOver) entry.append(button(texts.writeInstead, () => writeInstead(last)))
  }

  function add(entry) {
    log.append(entry)
    log.scrollTop = log.scrollHeight
    return entry
  }

  return { view, focus: () => input.focus() }
}

function said(text, who = 'helpdesk') {
  const speaker = who === 'visitor' ? [make('span', { class: 'label' }, `${texts.you} `)] : []
  return make('div', { class: `said ${who}` }, ...speaker, make('p', { dir: 'auto' }, text))
}

function source({ title, url }) {
  return make('li', {}, make('a', { href: /^https?:/.test(url) ? url : '#' }, title))
}
