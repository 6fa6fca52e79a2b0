import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useChange, useRead } from '../../api/query.ts'
import type { Responses } from '../../api/responses.ts'
import { change } from '../../api/rest.ts'
import { __, _n, sprintf } from '../../i18n.ts'
import { confirm } from '../../parts/confirm.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Section } from '../../parts/section.tsx'
import { Passkeys } from './passkeys.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { SetUpTwoFactor } from './set-up-two-factor.tsx'

type Status = Responses['GET /host/v1/users/{user_id}/two-factor']
type Codes = Responses['POST /host/v1/two-factor/recovery-codes']

/** Two-factor authentication of a user: users set it up for themselves, others can turn it off. */
export function TwoFactor({ userId, isOwn }: { userId: number; isOwn: boolean }) {
  const route = `host/v1/users/${userId}/two-factor`
  const status = useRead<Status>(route)
  const [codes, setCodes] = useState<readonly string[]>()
  const renew = useChange(() => change<Codes>('POST', 'host/v1/two-factor/recovery-codes'), { invalidates: [route] })
  const turnOff = useChange(() => change('DELETE', route), {
    invalidates: [route],
    done: __('Two-factor authentication turned off.', 'pentad'),
  })
  async function askAndTurnOff(): Promise<void> {
    const isSure = await confirm({
      title: __('Turn off two-factor authentication?', 'pentad'),
      body: __('The password alone will then be enough to log in.', 'pentad'),
      confirm: __('Turn off', 'pentad'),
      isDestructive: true,
    })
    if (isSure) turnOff.mutate(undefined, { onSuccess: () => setCodes(undefined) })
  }
  return (
    <Section
      title={__('Two-factor authentication', 'pentad')}
      description={__(
        'Protects the account even if someone knows its password: a login requires a code from an authenticator app, or a passkey.',
        'pentad',
      )}
    >
      <Loaded query={status}>
        {({ app, passkeys, required, recoveryCodes }) => (
          <Stack gap="sm">
            {codes && <RecoveryCodes codes={codes} />}
            {!app && passkeys.length === 0 && required && (
              <Alert color="yellow">
                {__(
                  'The role requires two-factor authentication. The user must set it up at the next login.',
                  'pentad',
                )}
              </Alert>
            )}
            <Text size="sm" fw={600}>
              {stateText(app, passkeys.length > 0)}
            </Text>
            {(app || passkeys.length > 0) && (
              <Text size="sm" c={recoveryCodes < 3 ? 'orange.9' : 'dimmed'}>
                {sprintf(
                  _n('%d unused recovery code.', '%d unused recovery codes.', recoveryCodes, 'pentad'),
                  recoveryCodes,
                )}
              </Text>
            )}
            <Group gap="xs">
              {isOwn && <SetUpTwoFactor isReplacement={app} route={route} onCodes={setCodes} />}
              {isOwn && (app || passkeys.length > 0) && (
                <Button
                  variant="default"
                  loading={renew.isPending}
                  onClick={() => renew.mutate(undefined, { onSuccess: (made) => setCodes(made.recoveryCodes) })}
                >
                  {__('Create new recovery codes', 'pentad')}
                </Button>
              )}
              {(app || passkeys.length > 0) && (
                <Button variant="light" color="red" loading={turnOff.isPending} onClick={askAndTurnOff}>
                  {__('Turn off', 'pentad')}
                </Button>
              )}
            </Group>
            {(isOwn || passkeys.length > 0) && (
              <Passkeys passkeys={passkeys} isOwn={isOwn} route={route} onCodes={setCodes} />
            )}
          </Stack>
        )}
      </Loaded>
    </Section>
  )
}

function stateText(hasApp: boolean, hasPasskey: boolean): string {
  if (hasApp) return __('On: an authenticator app is set up.', 'pentad')
  return hasPasskey ? __('On: a passkey is set up.', 'pentad') : __('Off', 'pentad')
}
