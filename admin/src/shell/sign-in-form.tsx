import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { isPasskeySupported } from '../api/passkey.ts'
import { enterCode, lookForSession, type PendingLogin, signIn, signInWithPasskey } from '../api/session.ts'
import { __ } from '../i18n.ts'
import { pageData } from '../page-data.ts'
import { PasswordDialog } from './password-dialog.tsx'

/** Asks for the password, and a code if the account needs one, or for a passkey, in a dialog when the session has expired; input is not lost. */
export default function SignInForm() {
  const [pending, setPending] = useState<PendingLogin>()
  const look = async () => ((await lookForSession()) ? undefined : __('You are still logged out.', 'pentad'))

  async function run(fields: FormData): Promise<string | undefined> {
    const text = (name: string) => String(fields.get(name) ?? '')
    const result = await (pending
      ? enterCode(pending.token, text('authcode'))
      : signIn(text('username'), text('password')))
    return next(result)
  }

  const runPasskey = async () => next(await signInWithPasskey())

  function next(result: string | PendingLogin | undefined): string | undefined {
    if (typeof result === 'string') return result
    setPending(result)
    return undefined
  }

  async function startAgain(): Promise<undefined> {
    setPending(undefined)
  }

  const common = { submit: { label: __('Log in', 'pentad'), run }, title: __('Your session has ended', 'pentad') }
  const passkey = (label: string) => (isPasskeySupported() ? { label, run: runPasskey } : undefined)
  const other = { label: __('I’ve logged in using another tab', 'pentad'), run: look }
  if (pending) {
    return (
      <PasswordDialog
        {...common}
        alternative={pending.hasPasskey ? passkey(__('Use a passkey', 'pentad')) : undefined}
        other={{ label: __('Back', 'pentad'), run: startAgain }}
        text={
          pending.hasApp
            ? __('Enter the code from your authenticator app, or one of your recovery codes.', 'pentad')
            : __('Use your passkey, or enter one of your recovery codes.', 'pentad')
        }
      >
        <TextInput
          key={pending.token}
          name="authcode"
          label={pending.hasApp ? __('Code', 'pentad') : __('Recovery code', 'pentad')}
          autoComplete="one-time-code"
          maxLength={30}
          required
          data-autofocus
        />
      </PasswordDialog>
    )
  }
  return (
    <PasswordDialog
      {...common}
      alternative={passkey(__('Log in with a passkey', 'pentad'))}
      other={other}
      text={__('Log in again to continue. Your unsaved changes are still here.', 'pentad')}
      passwordLabel={__('Password', 'pentad')}
    >
      <TextInput
        name="username"
        label={__('Username or email address', 'pentad')}
        autoComplete="username"
        required
        defaultValue={pageData.user.login}
      />
    </PasswordDialog>
  )
}
