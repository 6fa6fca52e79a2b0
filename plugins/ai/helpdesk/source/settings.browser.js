// An author may give any element that name, but writes no script.
const block = document.querySelector('script[type="application/json"]#ai-helpdesk')

export const settings = JSON.parse(block?.textContent ?? '{}')

/** What visitors read. */
export const texts = settings.texts ?? {}
