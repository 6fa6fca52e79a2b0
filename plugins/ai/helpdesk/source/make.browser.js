/**
 * Creates an element from text and elements, without HTML or style attributes, which a Content-Security-Policy may forbid.
 * @param attributes functions become event listeners: `{ click: close }`
 */
export function make(name, attributes, ...children) {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(key, value)
    else if (value !== undefined) made.setAttribute(key, value)
  }
  made.append(...children)
  return made
}

export const button = (label, click, style = '') => make('button', { type: 'button', class: style, click }, label)
