import { Alert, Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core'
import { __ } from '@wordpress/i18n'
import { type FormEvent, useState } from 'react'
import { cancelConfirmation, passwordConfirmed } from '../api/confirm-password.ts'
import { messageOf } from '../api/error.ts'
import { change } from '../api/rest.ts'
import { pageData } from '../page-data.ts'

/** Asks for the current password; the request that needs it goes out again once it was right. */
export default function ConfirmPasswordForm() {
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const password = String(new FormData(event.currentTarget).get('password'))
    setBusy(true)
    try {
      await change('POST', 'host/v1/confirm-password', { password })
      passwordConfirmed()
    } catch (thrown) {
      setError(messageOf(thrown))
      setBusy(false)
    }
  }

  return (
    <Modal opened onClose={cancelConfirmation} title={__('Confirm your password', 'pentad')} zIndex={400}>
      <form onSubmit={submit}>
        <Stack>
          <Text>
            {__('This change needs your current password. You will not be asked again for ten minutes.', 'pentad')}
          </Text>
          {error && (
            <Alert color="red" role="alert">
              {error}
            </Alert>
          )}
          {/* Password managers find the password by the name it belongs to. */}
          <input type="text" name="username" autoComplete="username" value={pageData.user.login} readOnly hidden />
          <PasswordInput
            name="password"
            label={__('Current password', 'pentad')}
            autoComplete="current-password"
            visibilityToggleButtonProps={{ 'aria-label': __('Show the password', 'pentad') }}
            required
            data-autofocus
          />
          <Group justify="flex-end">
            <Button variant="subtle" onClick={cancelConfirmation} disabled={isBusy}>
              {__('Cancel', 'pentad')}
            </Button>
            <Button type="submit" loading={isBusy}>
              {__('Confirm', 'pentad')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
