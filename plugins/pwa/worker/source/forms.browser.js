/** Background sync of forms submitted offline. */
import { Queue } from 'workbox-background-sync'
import { registerRoute } from 'workbox-routing'
import { isShared } from './cacheable.browser.js'
import { offlinePage } from './offline-page.browser.js'
import { setPersonal } from './personal.browser.js'
import { plainPage } from './plain-page.browser.js'

/** Minutes for which a form is kept. */
const PATIENCE = 24 * 60

/** Comment form target. */
const COMMENTS = '/wp-comments-post.php'

/** Forms with passwords or payment data are never stored. */
const SECRET = /pass|pwd|secret|token|card|cvc|cvv|iban/i

const queue = new Queue('pwa-forms', { maxRetentionTime: PATIENCE, onSync: sendAll })

/** Also retries after server errors. */
async function sendAll() {
  for (let entry = await queue.shiftRequest(); entry; entry = await queue.shiftRequest()) {
    try {
      const response = await fetch(entry.request.clone())
      if (response.status >= 500) throw new Error(`The server responded with ${response.status}.`)
    } catch (error) {
      await queue.unshiftRequest(entry)
      throw error
    }
    for (const client of await clients.matchAll()) client.postMessage({ type: 'pwa-form-sent' })
  }
}

async function sendForm({ request }) {
  const copy = request.clone()
  // The visitor may be signed in after submitting a form.
  await setPersonal(true)
  try {
    return await fetch(request)
  } catch {
    if (!(await mayWait(copy.clone()))) return offlinePage()
    await queue.pushRequest({ request: copy })
    return plainPage(SETTINGS.texts.formKeptTitle, SETTINGS.texts.formKeptText, 202)
  }
}

const mayBeKept = (url) => url.pathname === COMMENTS || isShared(url)

async function mayWait(request) {
  const fields = await request.formData().catch(() => undefined)
  return fields !== undefined && ![...fields.keys()].some((name) => SECRET.test(name))
}

/**
 * Not the result of a form in the history: browsers want it from their HTTP cache only, or ask whether to submit the form
 * again, and a `fetch` by a worker fails.
 */
const isSubmission = (request) => request.mode === 'navigate' && request.cache !== 'only-if-cached'

registerRoute(({ request, url, sameOrigin }) => sameOrigin && isSubmission(request) && mayBeKept(url), sendForm, 'POST')

/** The browser submits all other forms, such as the login form. Not called for forms of the route above. */
addEventListener('fetch', (event) => {
  const { method, mode } = event.request
  if (method === 'POST' && mode === 'navigate') event.waitUntil(setPersonal(true))
})
