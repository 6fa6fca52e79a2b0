import { cancelConfirmation, passwordConfirmed } from '../api/confirm-password.ts'
import { change } from '../api/rest.ts'
import { __ } from '../i18n.ts'
import { pageData } from '../page-data.ts'
import { PasswordDialog } from './password-dialog.tsx'

/** Asks for the current password, then sends the waiting request again. */
export default function ConfirmPasswordForm() {
  async function confirm(fields: FormData): Promise<undefined> {
    await change('POST', 'host/v1/confirm-password', { password: String(fields.get('password')) })
    passwordConfirmed()
  }
  async function cancel(): Promise<undefined> {
    cancelConfirmation()
  }
  return (
    <PasswordDialog
      title={__('Confirm your password', 'pentad')}
      text={__('Enter your current password to make this change. You won’t be asked again for 10 minutes.', 'pentad')}
      passwordLabel={__('Current password', 'pentad')}
      submit={{ label: __('Confirm', 'pentad'), run: confirm }}
      other={{ label: __('Cancel', 'pentad'), run: cancel }}
      onClose={cancelConfirmation}
    >
      {/* Password managers find the password by the username. */}
      <input type="text" name="username" autoComplete="username" value={pageData.user.login} readOnly hidden />
    </PasswordDialog>
  )
}
