import { Alert, Box, Stack } from '@mantine/core'
import { __ } from '../../i18n.ts'
import { pageData } from '../../page-data.ts'
import { Page } from '../../parts/page.tsx'
import { SettingsForm } from '../../settings/settings-form.tsx'
import { useSettings, useSettingValues } from '../../settings/use-settings.ts'
import { MailLog } from './mail-log.tsx'
import { MailTest } from './mail-test.tsx'

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
          <MailTest draft={draft} />
        </Stack>
      </Box>
      <MailLog />
    </Page>
  )
}
