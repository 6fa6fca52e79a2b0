/** Push prompt and bell. The browser asks for permission only after a click. */
import { launch } from './launcher.browser.js'
import { settings, texts } from './settings.browser.js'
import { dismiss, isDismissed, isFirstVisit } from './storage.browser.js'
import { canSubscribe, isSubscribed, subscribe, syncSubscription, unsubscribe } from './subscription.browser.js'
import { notice, toast } from './surface.browser.js'

/** Days for which a dismissed prompt is not shown again. */
const REST = 30

export async function showPushPrompts() {
  if (!canSubscribe()) return
  const bell = settings.push.button && showBell()
  if (settings.push.prompt) askLater(bell)
  await navigator.serviceWorker.ready
  await syncSubscription().catch(() => {})
  await bell?.update()
}

/** Turns notifications on or off and reports the result. */
async function turn(on) {
  if (Notification.permission === 'denied') return toast(texts.pushBlocked)
  try {
    if (!on) await unsubscribe()
    else if (!(await subscribe())) {
      return toast(Notification.permission === 'denied' ? texts.pushBlocked : texts.pushFailed)
    }
    toast(on ? texts.pushIsOn : texts.pushIsOff)
  } catch {
    toast(texts.pushFailed)
  }
}

function showBell() {
  // The label describes the action, so there is no `aria-pressed`.
  const bell = launch('bell', texts.bellOff, async () => {
    if (bell.ariaDisabled) return
    // A button that is `disabled` loses the focus of the keyboard.
    bell.ariaDisabled = true
    await turn(!(await isSubscribed()))
    // From below the message.
    bell.scrollIntoView({ block: 'nearest' })
    await update().finally(() => {
      bell.ariaDisabled = null
    })
  })
  const update = async () => {
    const on = await isSubscribed()
    bell.classList.toggle('on', on)
    bell.title = bell.lastChild.textContent = on ? texts.bellOn : texts.bellOff
  }
  return { update }
}

function askLater(bell) {
  const { delaySeconds, skipFirstVisit, text } = settings.push
  if (Notification.permission !== 'default' || isDismissed('push', REST)) return
  if (skipFirstVisit && isFirstVisit()) return
  const allow = async () => {
    await turn(true)
    // The visitor closed the browser's permission prompt.
    if (Notification.permission === 'default') dismiss('push')
    await bell?.update()
  }
  const ask = () => notice(text || texts.pushText, [[texts.allow, allow]], { dismissed: () => dismiss('push') })
  setTimeout(ask, delaySeconds * 1000)
}
