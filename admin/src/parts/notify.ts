import { notifications } from '@mantine/notifications'
import { messageOf } from '../api/error.ts'

/** Screen readers are told too: notifications are a live region. */
export function notifyDone(message: string): void {
  notifications.show({ message, color: 'teal' })
}

/** Stays until it is closed: what went wrong must not pass by unread. */
export function notifyFailed(error: unknown): void {
  notifications.show({ message: messageOf(error), color: 'red', autoClose: false })
}
