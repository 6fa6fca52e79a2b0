import { Button, Group, Stack, Text } from '@mantine/core'
import { useSearchParams } from 'react-router'
import { useChange, useRead } from '../../api/query.ts'
import type { Responses } from '../../api/responses.ts'
import { change } from '../../api/rest.ts'
import { __, sprintf } from '../../i18n.ts'
import { pageData } from '../../page-data.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { Section } from '../../parts/section.tsx'
import { AccessQuestion } from './access-question.tsx'
import { placeOf } from './application-redirect.ts'

type Client = Responses['GET /host/v1/oauth/consent']
type Decision = Responses['POST /host/v1/oauth/consent']

const CONSENT = 'host/v1/oauth/consent'

/** Asks whether an MCP client may connect to the account: the authorization endpoint of OAuth. */
export default function AuthorizeClient() {
  const [query] = useSearchParams()
  const request = Object.fromEntries(query)
  const { client_id = '', redirect_uri = '' } = request
  const client = useRead<Client>(CONSENT, { client_id, redirect_uri })
  const decide = useChange((approve: boolean) => change<Decision>('POST', CONSENT, { ...request, approve }))
  const answer = (approve: boolean) =>
    decide.mutate(approve, { onSuccess: ({ redirect }) => window.location.assign(redirect) })
  const isSent = decide.isPending || decide.isSuccess
  return (
    <Page title={__('Authorize application', 'pentad')}>
      <Stack maw={760}>
        <Loaded query={client}>
          {({ name }) => (
            <Section title={__('An application would like to connect to your account', 'pentad')}>
              <AccessQuestion name={name} />
              <Text size="sm">
                {sprintf(
                  __(
                    'Its AI agent will be able to use the tools of this site with the permissions of %s, until you revoke its access in your profile.',
                    'pentad',
                  ),
                  pageData.user.name || pageData.user.login,
                )}
              </Text>
              <Text size="sm" c="dimmed" id="approve-destination">
                {sprintf(__('You will be sent to %s.', 'pentad'), placeOf(redirect_uri))}
              </Text>
              <Group>
                <Button
                  aria-describedby="approve-destination"
                  loading={isSent && decide.variables}
                  disabled={isSent}
                  onClick={() => answer(true)}
                >
                  {__('Approve connection', 'pentad')}
                </Button>
                <Button variant="default" disabled={isSent} onClick={() => answer(false)}>
                  {__('Reject connection', 'pentad')}
                </Button>
              </Group>
            </Section>
          )}
        </Loaded>
      </Stack>
    </Page>
  )
}
