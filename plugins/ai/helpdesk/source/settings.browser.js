// Authors can use this ID for any element, but cannot write scripts.
const block = document.querySelector('script[type="application/json"]#ai-helpdesk')

export const settings = JSON.parse(block?.textContent ?? '{}')

/** Texts for visitors. */
export const texts = settings.texts ?? {}
