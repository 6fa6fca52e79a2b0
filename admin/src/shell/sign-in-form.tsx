import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { enterCode, lookForSession, type PendingLogin, signIn } from '../api/session.ts'
import { __ } from '../i18n.ts'
import { pageData } from '../page-data.ts'
import { PasswordDialog } from './password-dialog.tsx'

/** Asks for the password, and a code if the account needs one, in a dialog when the session has expired; input is not lost. */
export default function SignInForm() {
  const [pending, setPending] = useState<PendingLogin>()
  const look = async () => ((await lookForSession()) ? undefined : __('You are still logged out.', 'pentad'))

  async function run(fields: FormData): Promise<string | undefined> {
    const text = (name: string) => String(fields.get(name) ?? '')
    const result = await (pending
      ? enterCode(pending.token, text('authcode'))
      : signIn(text('username'), text('password')))
    if (typeof result === 'string') return result
    setPending(result)
    return undefined
  }

  async function startAgain(): Promise<undefined> {
    setPending(undefined)
  }

  const common = { submit: { label: __('Log in', 'pentad'), run }, title: __('Your session has ended', 'pentad') }
  const other = { label: __('I’ve logged in using another tab', 'pentad'), run: look }
  if (pending) {
    return (
      <PasswordDialog
        {...common}
        other={{ label: __('Back', 'pentad'), run: startAgain }}
        text={__('Enter the code from your authenticator app, or one of your recovery codes.', 'pentad')}
      >
        <TextInput
          key={pending.token}
          name="authcode"
          label={__('Code', 'pentad')}
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
