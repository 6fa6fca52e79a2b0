/** The push subscription of this browser and its record on the server. */
import { read, write } from '../../worker/source/state.browser.js'
import { call } from './api.browser.js'
import { settings } from './settings.browser.js'
import { isFirstInSession } from './storage.browser.js'

const path = (name) => `push-subscription/${name}`

/** Whether this browser supports push. On iOS only the installed app does. */
export const canSubscribe = () =>
  'PushManager' in window && 'Notification' in window && Boolean(navigator.serviceWorker && settings.worker)

const manager = async () => (await navigator.serviceWorker.ready).pushManager

const make = async () =>
  (await manager()).subscribe({ userVisibleOnly: true, applicationServerKey: settings.push.publicKey })

export async function isSubscribed() {
  return (await (await manager()).getSubscription()) !== null
}

/** Requests permission, which browsers allow only after a click. @returns whether it succeeded */
export async function subscribe() {
  if ((await Notification.requestPermission()) !== 'granted') return false
  const made = await make()
  const isKnown = await add(made.toJSON()).catch(() => false)
  // The server does not know the subscription, so the bell must not show it as on.
  if (!isKnown) await made.unsubscribe()
  return isKnown
}

async function add(subscription) {
  const { status } = await call('POST', path('add'), subscription)
  if (status >= 300) return false
  await write('subscription', subscription)
  return true
}

export async function unsubscribe() {
  const subscription = await (await manager()).getSubscription()
  await write('subscription', undefined)
  if (!subscription) return
  const { endpoint, keys } = subscription.toJSON()
  await subscription.unsubscribe()
  await call('DELETE', path('remove'), { endpoint, auth: keys.auth })
}

/** Once per session and after login: the browser may have changed the subscription, or a user signed in. */
export async function syncSubscription() {
  if (Notification.permission !== 'granted') return
  if (!isFirstInSession('sync') && !document.referrer.includes('/wp-login.php')) return
  const before = await read('subscription')
  const known = await (await manager()).getSubscription()
  // Never subscribed, or unsubscribed.
  if (!known && !before) return
  const now = ((await ofThisSite(known)) ?? (await make())).toJSON()
  if (before && before.endpoint !== now.endpoint) {
    const changed = { ...now, oldEndpoint: before.endpoint, auth: before.keys.auth }
    const { status } = await call('PUT', path('update'), changed)
    if (status < 300) return write('subscription', now)
  }
  const { status } = await call('POST', path('sync'), { endpoint: now.endpoint, auth: now.keys.auth })
  if (status === 404) await add(now)
  else if (status < 300) await write('subscription', now)
}

/** Drops a subscription that was created with a previous VAPID key. */
async function ofThisSite(subscription) {
  const key = subscription?.options?.applicationServerKey
  if (!key || toBase64Url(key) === settings.push.publicKey) return subscription
  await subscription.unsubscribe()
  return undefined
}

const toBase64Url = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=+$/, '')
