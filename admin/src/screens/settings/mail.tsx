import { Alert, Box, Button, Group, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useChange } from '../../api/query.ts'
import type { Responses } from '../../api/responses.ts'
import { change } from '../../api/rest.ts'
import { __, sprintf } from '../../i18n.ts'
import { pageData } from '../../page-data.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Page } from '../../parts/page.tsx'
import { Section } from '../../parts/section.tsx'
import { SettingsForm } from '../../settings/settings-form.tsx'
import { useSettings, useSettingValues } from '../../settings/use-settings.ts'
import { MailLog } from './mail-log.tsx'

/** The SMTP server, the sender, and a test. */
export default function MailSettings() {
  const draft = useSettings('mail')
  const stored = useSettingValues('mail')
  return (
    <Page title={__('Email settings', 'pentad')}>
      <Box maw={760}>
        <Stack>
          {pageData.site.smtpFromServer ? (
            <Alert color="blue">
              {__(
                'The SMTP server is set in the server configuration (PENTAD_SMTP_URL), which takes precedence over the server below.',
                'pentad',
              )}
            </Alert>
          ) : (
            !stored.smtpHost && (
              <Alert color="yellow" title={__('The site cannot send email', 'pentad')}>
                {__(
                  'Emails, such as password resets and notifications, are only stored in the site’s “mail” folder. Enter the SMTP server of your email provider.',
                  'pentad',
                )}
              </Alert>
            )
          )}
          <SettingsForm
            draft={draft}
            groups={[
              {
                title: __('Server', 'pentad'),
                keys: ['smtpHost', 'smtpPort', 'smtpSecurity', 'smtpUser', 'smtpPassword'],
              },
              { title: __('Sender', 'pentad'), keys: ['fromEmail', 'fromName'] },
              { title: __('Retention', 'pentad'), keys: ['logDays'] },
            ]}
          />
          <MailTest isDisabled={draft.changed.length > 0} />
        </Stack>
      </Box>
      <MailLog />
    </Page>
  )
}

type Tested = Responses['POST /host/v1/mail/test']

/** Sends a test email with the stored settings, and shows what the server said. */
function MailTest({ isDisabled }: { isDisabled: boolean }) {
  const [to, setTo] = useState(pageData.user.email)
  const test = useChange(() => change<Tested>('POST', 'host/v1/mail/test', { to }), { quiet: true })
  const submit = (event: FormEvent) => {
    event.preventDefault()
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
            <Button type="submit" variant="default" disabled={isDisabled} loading={test.isPending}>
              {__('Send test email', 'pentad')}
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
