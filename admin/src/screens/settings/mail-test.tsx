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

/**
 * Sends a test email with the settings as entered, and shows what the server said. Changes are saved only after the server accepted the
 * email, so that a test never replaces settings that work.
 */
export function MailTest({ draft }: { draft: SettingsDraft }) {
  const [to, setTo] = useState(pageData.user.email)
  const test = useChange(
    (settings: Readonly<Record<string, unknown>> | undefined) =>
      change<Tested>('POST', 'host/v1/mail/test', { to, ...(settings && { settings }) }),
    { quiet: true },
  )
  const isDirty = draft.changed.length > 0
  const isUnsaved = isDirty && test.variables !== undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const entered = Object.fromEntries(draft.changed.map((key) => [key, draft.values[key]]))
    test.mutate(isDirty ? entered : undefined, {
      onSuccess({ storedAsFile }) {
        if (isDirty && !storedAsFile) void draft.save()
      },
    })
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
              {isDirty ? __('Send test email and save', 'pentad') : __('Send test email', 'pentad')}
            </Button>
          </Group>
          <div aria-live="polite">
            {test.error && (
              <ErrorNote
                error={test.error}
                {...(isUnsaved && { title: __('Test failed, changes not saved', 'pentad') })}
              />
            )}
            {test.data && <TestResult result={test.data} isUnsaved={isUnsaved && !draft.isSaving} />}
          </div>
        </Stack>
      </form>
    </Section>
  )
}

function TestResult({ result: { to, storedAsFile, response }, isUnsaved }: { result: Tested; isUnsaved: boolean }) {
  if (storedAsFile) {
    return (
      <Alert color="yellow" {...(isUnsaved && { title: __('Changes not saved', 'pentad') })}>
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
