import { Alert, Button, Group, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useChange } from '../../api/query.ts'
import type { Responses } from '../../api/responses.ts'
import { change } from '../../api/rest.ts'
import { __, sprintf } from '../../i18n.ts'
import { pageData } from '../../page-data.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Section } from '../../parts/section.tsx'
import type { SettingsDraft } from '../../settings/use-settings.ts'

type Tested = Responses['POST /host/v1/mail/test']

/** Saves the settings, sends a test email, and shows what the server said. */
export function MailTest({ draft }: { draft: SettingsDraft }) {
  const [to, setTo] = useState(pageData.user.email)
  const test = useChange(() => change<Tested>('POST', 'host/v1/mail/test', { to }), { quiet: true })
  const isDirty = draft.changed.length > 0
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isDirty && !(await draft.save())) return
    test.mutate()
  }
  return (
    <Section title={__('Test', 'pentad')}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Group align="flex-end">
            <TextInput
              label={__('Recipient', 'pentad')}
              type="email"
              required
              value={to}
              onChange={({ currentTarget }) => setTo(currentTarget.value)}
            />
            <Button type="submit" variant="default" loading={draft.isSaving || test.isPending}>
              {isDirty ? __('Save and send test email', 'pentad') : __('Send test email', 'pentad')}
            </Button>
          </Group>
          <div aria-live="polite">
            {test.error && <ErrorNote error={test.error} />}
            {test.data && <TestResult result={test.data} />}
          </div>
        </Stack>
      </form>
    </Section>
  )
}

function TestResult({ result: { to, storedAsFile, response } }: { result: Tested }) {
  if (storedAsFile) {
    return (
      <Alert color="yellow">
        {__(
          'The email was not sent, because no SMTP server is configured. It was saved in the site’s “mail” folder.',
          'pentad',
        )}
      </Alert>
    )
  }
  return (
    <Alert color="teal" title={sprintf(__('The server accepted the email to %s', 'pentad'), to)}>
      {sprintf(__('It responded: %s. If the email does not arrive, check the spam folder.', 'pentad'), response)}
    </Alert>
  )
}
