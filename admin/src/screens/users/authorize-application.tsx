import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { useChange } from '../../api/query.ts'
import type { Responses } from '../../api/responses.ts'
import { change } from '../../api/rest.ts'
import { __, sprintf } from '../../i18n.ts'
import { pageData } from '../../page-data.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Page } from '../../parts/page.tsx'
import { Section } from '../../parts/section.tsx'
import { AccessQuestion } from './access-question.tsx'
import { isAllowedRedirect, placeOf, withParameters } from './application-redirect.ts'
import { NewPassword } from './new-password.tsx'
import { USERS } from './user.ts'

type Created = Responses['ApplicationPasswords']

/**
 * Asks whether an application may connect to the account, and gives it an application password: WordPress's
 * `authorize-application.php`, to which mobile and desktop clients send their users.
 */
export default function AuthorizeApplication() {
  const [query] = useSearchParams()
  const success = query.get('success_url') ?? ''
  const rejected = query.get('reject_url') ?? ''
  const isAllowed = [success, rejected].every((url) => url === '' || isAllowedRedirect(url))
  return (
    <Page title={__('Authorize application', 'pentad')}>
      <Stack maw={760}>
        {isAllowed ? (
          <Request
            name={query.get('app_name') ?? ''}
            appId={query.get('app_id') ?? ''}
            success={success}
            reject={rejected || (success && withParameters(success, { success: 'false' }))}
          />
        ) : (
          <Alert color="red" role="alert" title={__('This application cannot be authorized', 'pentad')}>
            {__(
              'It asks to receive its password at a URL that is not secure. The URL must use HTTPS or a custom URL scheme of the application. Nothing was changed. Please contact the developer of the application.',
              'pentad',
            )}
          </Alert>
        )}
      </Stack>
    </Page>
  )
}

interface RequestProps {
  readonly name: string
  readonly appId: string
  /** Where the application receives the password; without it, the user copies it. */
  readonly success: string
  readonly reject: string
}

function Request({ name: suggested, appId, success, reject }: RequestProps) {
  const navigate = useNavigate()
  const [name, setName] = useState(suggested)
  const approve = useChange(
    () =>
      change<Created>('POST', `${USERS}/me/application-passwords`, {
        name: name.trim(),
        ...(appId && { app_id: appId }),
      }),
    { quiet: true },
  )
  function submit(event: FormEvent): void {
    event.preventDefault()
    approve.mutate(undefined, {
      onSuccess: ({ password }) => {
        if (!success) return
        const account = {
          site_url: pageData.site.url,
          user_login: pageData.user.login,
          password: password.replaceAll(' ', ''),
        }
        window.location.assign(withParameters(success, account))
      },
    })
  }
  if (approve.data && !success)
    return <NewPassword name={approve.data.name} password={approve.data.password} role="status" />
  return (
    <Section title={__('An application would like to connect to your account', 'pentad')}>
      <AccessQuestion name={suggested} />
      <Text size="sm">
        {sprintf(
          __(
            'It will be able to do everything that %s can do through the REST API, until you revoke its password in your profile.',
            'pentad',
          ),
          pageData.user.name || pageData.user.login,
        )}
      </Text>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput
            label={__('Application password name', 'pentad')}
            required
            maxLength={200}
            value={name}
            onChange={({ currentTarget: { value } }) => setName(value)}
          />
          {approve.error && <ErrorNote error={approve.error} />}
          <Text size="sm" c="dimmed" id="approve-destination">
            {success
              ? sprintf(__('If you approve, a new password will be sent to %s.', 'pentad'), placeOf(success))
              : __('If you approve, you will receive a password to enter in the application.', 'pentad')}
          </Text>
          <Group>
            <Button
              type="submit"
              aria-describedby="approve-destination"
              loading={approve.isPending || (approve.isSuccess && success !== '')}
              disabled={name.trim() === ''}
            >
              {__('Approve connection', 'pentad')}
            </Button>
            <Button variant="default" onClick={() => (reject ? window.location.assign(reject) : navigate('/'))}>
              {__('Reject connection', 'pentad')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  )
}
