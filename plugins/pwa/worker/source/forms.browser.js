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

async function sendForm({ request, url }) {
  const copy = request.clone()
  // The visitor may be signed in after submitting a form.
  await setPersonal(true)
  try {
    return await fetch(request)
  } catch {
    if (!(await mayWait(copy.clone(), url))) return offlinePage()
    await queue.pushRequest({ request: copy })
    return plainPage(SETTINGS.texts.formKeptTitle, SETTINGS.texts.formKeptText, 202)
  }
}

async function mayWait(request, url) {
  if (url.pathname !== COMMENTS && !isShared(url)) return false
  const fields = await request.formData().catch(() => undefined)
  return fields !== undefined && ![...fields.keys()].some((name) => SECRET.test(name))
}

registerRoute(({ request, sameOrigin }) => sameOrigin && request.mode === 'navigate', sendForm, 'POST')
