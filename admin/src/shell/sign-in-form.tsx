import { TextInput } from '@mantine/core'
import { lookForSession, signIn } from '../api/session.ts'
import { __ } from '../i18n.ts'
import { pageData } from '../page-data.ts'
import { PasswordDialog } from './password-dialog.tsx'

/** Asks for the password in a dialog when the session has expired; input is not lost. */
export default function SignInForm() {
  const look = async () => ((await lookForSession()) ? undefined : __('You are still logged out.', 'pentad'))
  return (
    <PasswordDialog
      title={__('Your session has ended', 'pentad')}
      text={__('Log in again to continue. Your unsaved changes are still here.', 'pentad')}
      passwordLabel={__('Password', 'pentad')}
      submit={{
        label: __('Log in', 'pentad'),
        run: (fields) => signIn(String(fields.get('username')), String(fields.get('password'))),
      }}
      other={{ label: __('I’ve logged in using another tab', 'pentad'), run: look }}
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
