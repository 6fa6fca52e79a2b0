/** Forms that are sent without a network wait for it. */
import { Queue } from 'workbox-background-sync'
import { registerRoute } from 'workbox-routing'
import { isShared } from './keepable.browser.js'
import { offlinePage } from './offline-page.browser.js'
import { setPersonal } from './personal.browser.js'
import { plainPage } from './plain-page.browser.js'

/** Minutes for which a form waits: a day. */
const PATIENCE = 24 * 60

/** The one program of the site that takes what visitors write. */
const COMMENTS = '/wp-comments-post.php'

/** Nobody's password or card lies about on a disk. */
const SECRET = /pass|pwd|secret|token|card|cvc|cvv|iban/i

const queue = new Queue('pwa-forms', { maxRetentionTime: PATIENCE, onSync: sendAll })

/** A server that is there but can't answer just now gets it later too. */
async function sendAll() {
  for (let entry = await queue.shiftRequest(); entry; entry = await queue.shiftRequest()) {
    try {
      const answer = await fetch(entry.request.clone())
      if (answer.status >= 500) throw new Error(`The server answered ${answer.status}.`)
    } catch (error) {
      await queue.unshiftRequest(entry)
      throw error
    }
    for (const client of await clients.matchAll()) client.postMessage({ type: 'pwa-form-sent' })
  }
}

async function sendForm({ request, url }) {
  const copy = request.clone()
  // Whoever sends a form may be signed in afterwards.
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
