import { notifications } from '@mantine/notifications'
import { messageOf } from '../api/error.ts'

/** Notifications are a live region, so screen readers announce them. */
export function notifyDone(message: string): void {
  notifications.show({ message, color: 'teal' })
}

/** Errors stay until they are closed. */
export function notifyFailed(error: unknown): void {
  notifications.show({ message: messageOf(error), color: 'red', autoClose: false })
}

/** A notification of something in progress. @returns functions that change its text and close it */
export function notifyProgress(message: string) {
  const id = notifications.show({ message, loading: true, autoClose: false, withCloseButton: false })
  return {
    update: (changed: string) => notifications.update({ id, message: changed, loading: true }),
    close: () => notifications.hide(id),
  }
}
