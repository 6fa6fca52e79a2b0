/** Creates elements without inline HTML or styles, which a Content-Security-Policy may block. */
export function element(name, properties = {}, ...children) {
  const made = document.createElement(name)
  const { on = {}, attributes = {}, ...others } = properties
  Object.assign(made, others)
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value)
  for (const [event, listener] of Object.entries(on)) made.addEventListener(event, listener)
  made.append(...children)
  return made
}

export const button = (text, listener, className = '') =>
  element('button', { type: 'button', textContent: text, className, on: { click: listener } })

/** Removes an element. If it has the focus, `next` gets it, so that the keyboard keeps its place. */
export function leave(from, next) {
  const isFocused = from.matches(':focus-within')
  from.remove()
  if (isFocused) next?.focus()
}
