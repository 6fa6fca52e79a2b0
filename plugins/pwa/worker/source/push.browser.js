/** Push notifications: display, clicks and renewing the subscription. */
import { read, write } from './state.browser.js'

addEventListener('push', (event) => event.waitUntil(show(readMessage(event.data))))
addEventListener('notificationclick', (event) => {
  event.notification.close()
  const { url, actions } = event.notification.data ?? {}
  event.waitUntil(Promise.all([open(actions?.[event.action] ?? url), countNotifications()]))
})
addEventListener('notificationclose', (event) => event.waitUntil(countNotifications()))
addEventListener('pushsubscriptionchange', (event) => event.waitUntil(subscribeAgain(event)))

/** Accepts Declarative Web Push, the options of `showNotification`, or plain text. Each message must be displayed. */
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
  // Counted first: Chromium loses a notification if the list is requested while it is being displayed.
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

/** Sets the badge to the number of open notifications. */
async function countNotifications() {
  await setBadge((await registration.getNotifications()).length)
}

/** Sets the app badge, if supported. */
async function setBadge(count) {
  if (!navigator.setAppBadge) return
  await (count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge()).catch(() => {})
}

/** Focuses a window that already shows the page. Never navigates another one, which may contain an open form. */
async function open(address) {
  const url = toUrl(address ?? '/')
  const windows = await clients.matchAll({ type: 'window', includeUncontrolled: true })
  const there = windows.find((client) => client.url === url)
  await (there ? there.focus() : clients.openWindow(url))
}

/** Allows only HTTP URLs, so that no script runs. */
function toUrl(address) {
  try {
    const url = new URL(address, location.origin)
    if (/^https?:$/.test(url.protocol)) return url.href
  } catch {
    // Invalid URLs open the home page.
  }
  return `${location.origin}/`
}

/** Browsers can replace subscriptions, and some do not provide the old one. */
async function subscribeAgain({ oldSubscription, newSubscription }) {
  const before = oldSubscription?.toJSON() ?? (await read('subscription'))
  const applicationServerKey = oldSubscription?.options?.applicationServerKey ?? SETTINGS.publicKey
  const now =
    newSubscription ?? (await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey }))
  const given = now.toJSON()
  const isReplaced =
    before && (await call('PUT', 'update', { ...given, oldEndpoint: before.endpoint, auth: before.keys?.auth })).ok
  // The server may have removed the old one, because its push service reported that it has expired.
  if (isReplaced || (await call('POST', 'add', given)).ok) await write('subscription', given)
}

const call = (method, name, body) =>
  fetch(`${SETTINGS.restPath}pwa/v1/push-subscription/${name}`, {
    method,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
