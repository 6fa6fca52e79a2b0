/** Notifications: showing them, what a click does, and staying subscribed. */
import { read, write } from './state.browser.js'

addEventListener('push', (event) => event.waitUntil(show(readMessage(event.data))))
addEventListener('notificationclick', (event) => {
  event.notification.close()
  const { url, actions } = event.notification.data ?? {}
  event.waitUntil(Promise.all([open(actions?.[event.action] ?? url), countNotifications()]))
})
addEventListener('notificationclose', (event) => event.waitUntil(countNotifications()))
addEventListener('pushsubscriptionchange', (event) => event.waitUntil(subscribeAgain(event)))

/** Declarative Web Push, the members of `showNotification` alone, or plain text. Something has to be shown for each. */
function readMessage(data) {
  const text = data?.text() ?? ''
  try {
    const message = JSON.parse(text)
    if (message && typeof message === 'object') return message.notification ?? message
  } catch {
    // Plain text.
  }
  return { body: text }
}

async function show({ title, app_badge, navigate, actions = [], data, ...options }) {
  const buttons = Array.isArray(actions) ? actions : []
  const addresses = buttons.map(({ action, navigate: address }, at) => [
    action,
    address ?? data?.[`pushActionButton${at}Url`],
  ])
  // Counted before: Chromium forgets a notification that is asked for while it is about to be shown.
  const others = (await registration.getNotifications()).filter(({ tag }) => !tag || tag !== options.tag)
  await registration.showNotification(String(title ?? SETTINGS.appName), {
    icon: SETTINGS.icon,
    badge: SETTINGS.badge,
    ...options,
    actions: buttons.map(({ action, title: label, icon }) => ({ action, title: label, icon })),
    data: { url: navigate ?? data?.url, actions: Object.fromEntries(addresses) },
  })
  await setBadge(Number(app_badge) === 0 ? 0 : Math.max(others.length + 1, Number(app_badge) || 0))
}

/** What is still to be looked at. */
async function countNotifications() {
  await setBadge((await registration.getNotifications()).length)
}

/** The number on the app's icon, where there is such a thing. */
async function setBadge(count) {
  if (!navigator.setAppBadge) return
  await (count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge()).catch(() => {})
}

/** A window that shows the page already comes to the front; no window is taken elsewhere, where a form may be open. */
async function open(address) {
  const url = toUrl(address ?? '/')
  const windows = await clients.matchAll({ type: 'window', includeUncontrolled: true })
  const there = windows.find((client) => client.url === url)
  await (there ? there.focus() : clients.openWindow(url))
}

/** Only the web is opened: nothing that runs. */
function toUrl(address) {
  try {
    const url = new URL(address, location.origin)
    if (/^https?:$/.test(url.protocol)) return url.href
  } catch {
    // The start of the site stands for what is no address.
  }
  return `${location.origin}/`
}

/** Browsers change subscriptions as they like, and some do not say which it was. */
async function subscribeAgain({ oldSubscription, newSubscription }) {
  const before = oldSubscription?.toJSON() ?? (await read('subscription'))
  const applicationServerKey = oldSubscription?.options?.applicationServerKey ?? SETTINGS.publicKey
  const now =
    newSubscription ?? (await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey }))
  const given = now.toJSON()
  const isReplaced =
    before && (await call('PUT', 'update', { ...given, oldEndpoint: before.endpoint, auth: before.keys?.auth })).ok
  // The host may have removed the old one already: its push service said that it was gone.
  if (isReplaced || (await call('POST', 'add', given)).ok) await write('subscription', given)
}

const call = (method, name, body) =>
  fetch(`${SETTINGS.restPath}pwa/v1/push-subscription/${name}`, {
    method,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
