import { lazy, Suspense, useEffect, useState } from 'react'
import { onSignedOut } from '../api/session.ts'

const SignInForm = lazy(() => import('./sign-in-form.tsx'))

/** Asks for the password in a dialog when the session has expired. */
export function SignInAgain() {
  const [isAsking, setAsking] = useState(false)
  useEffect(() => onSignedOut(setAsking), [])
  if (!isAsking) return null
  return (
    <Suspense>
      <SignInForm />
    </Suspense>
  )
}
