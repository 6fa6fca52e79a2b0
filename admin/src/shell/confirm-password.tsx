import { lazy, Suspense, useEffect, useState } from 'react'
import { onConfirmationNeeded } from '../api/confirm-password.ts'

const ConfirmPasswordForm = lazy(() => import('./confirm-password-form.tsx'))

/** A dialog that asks for the current password, for changes that require it. */
export function ConfirmPassword() {
  const [isAsking, setAsking] = useState(false)
  useEffect(() => onConfirmationNeeded(setAsking), [])
  if (!isAsking) return null
  return (
    <Suspense>
      <ConfirmPasswordForm />
    </Suspense>
  )
}
