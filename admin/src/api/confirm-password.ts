import { __ } from '../i18n.ts'
import { ApiError } from './error.ts'

type Listener = (isAsking: boolean) => void

let waiting: PromiseWithResolvers<void> | undefined
const listeners = new Set<Listener>()

/** Subscribes to requests for the current password: called when one starts, and when it is answered or canceled. */
export function onConfirmationNeeded(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Waits until the user has confirmed the session with the current password; all requests wait for the same dialog.
 * @throws ApiError if the user cancels
 */
export function confirmPassword(): Promise<void> {
  if (!waiting) {
    waiting = Promise.withResolvers()
    for (const listener of listeners) listener(true)
  }
  return waiting.promise
}

/** Closes the dialog: waiting requests continue. */
export function passwordConfirmed(): void {
  close((all) => all.resolve())
}

/** Closes the dialog: waiting requests fail. */
export function cancelConfirmation(): void {
  const message = __('The change was not made because you did not confirm your password.', 'pentad')
  close((all) => all.reject(new ApiError('password_confirmation_canceled', message)))
}

function close(settle: (all: PromiseWithResolvers<void>) => void): void {
  if (waiting) settle(waiting)
  waiting = undefined
  for (const listener of listeners) listener(false)
}
