/** Notifies the visitor when the connection is lost and restored. */
import { texts } from './settings.browser.js'
import { notice, toast } from './surface.browser.js'

export function showConnectionState() {
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
