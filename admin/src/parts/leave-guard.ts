import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { __ } from '../i18n.ts'
import { confirm } from './confirm.tsx'

/** Asks before unsaved changes are lost, on navigation and when the tab is closed. */
export function useLeaveGuard(isDirty: boolean): void {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isDirty && currentLocation.pathname !== nextLocation.pathname,
  )
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    void confirm({
      title: __('Leave without saving?', 'pentad'),
      body: __('Your unsaved changes will be lost.', 'pentad'),
      confirm: __('Leave', 'pentad'),
      isDestructive: true,
    }).then((isSure) => (isSure ? blocker.proceed() : blocker.reset()))
  }, [blocker])
  useCloseGuard(isDirty)
}

/** Asks before unsaved changes are lost when the tab is closed. A screen can have several, but only one `useLeaveGuard`. */
export function useCloseGuard(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isDirty])
}
