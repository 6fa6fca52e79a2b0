import { Alert, Button, Group, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { __ } from '@wordpress/i18n'
import { type FormEvent, useState } from 'react'
import { messageOf } from '../api/error.ts'
import { lookForSession, signIn } from '../api/session.ts'
import { pageData } from '../page-data.ts'

/** Asks for the password over whatever is being written, once the session has ended; nothing of it is lost. */
export default function SignInForm() {
  const [refusal, setRefusal] = useState<string>()
  const [isBusy, setBusy] = useState(false)

  async function attempt(work: () => Promise<string | undefined>): Promise<void> {
    setBusy(true)
    setRefusal(await work().catch(messageOf))
    setBusy(false)
  }
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    void attempt(() => signIn(String(fields.get('log')), String(fields.get('pwd'))))
  }
  const look = () =>
    attempt(async () => ((await lookForSession()) ? undefined : __('You are not logged in yet.', 'pentad')))

  return (
    <Modal
      opened
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={__('Your session has ended', 'pentad')}
      zIndex={400}
    >
      <form onSubmit={submit}>
        <Stack>
          <Text>{__('Log in again to go on. What you have typed is still here.', 'pentad')}</Text>
          {refusal && (
            <Alert color="red" role="alert">
              {refusal}
            </Alert>
          )}
          <TextInput
            name="log"
            label={__('Username or email address', 'pentad')}
            autoComplete="username"
            required
            defaultValue={pageData.user.login}
          />
          <PasswordInput
            name="pwd"
            label={__('Password', 'pentad')}
            autoComplete="current-password"
            required
            data-autofocus
          />
          <Group justify="space-between">
            <Button variant="subtle" onClick={look} disabled={isBusy}>
              {__('I logged in in another tab', 'pentad')}
            </Button>
            <Button type="submit" loading={isBusy}>
              {__('Log in', 'pentad')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
