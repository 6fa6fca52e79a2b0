/** Says when the network goes, and when it is back. */
import { texts } from './settings.browser.js'
import { notice, toast } from './surface.browser.js'

export function tellNetwork() {
  let remove
  const tell = () => {
    remove ??= notice(texts.offline)
  }
  addEventListener('offline', tell)
  addEventListener('online', () => {
    remove?.()
    remove = undefined
    toast(texts.online)
  })
  if (!navigator.onLine) tell()
}
