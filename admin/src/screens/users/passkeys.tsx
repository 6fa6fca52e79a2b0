import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { createPasskey, isPasskeySupported } from '../../api/passkey.ts'
import { useChange } from '../../api/query.ts'
import type { Responses } from '../../api/responses.ts'
import { change } from '../../api/rest.ts'
import { __, sprintf } from '../../i18n.ts'
import { pageData } from '../../page-data.ts'
import { confirm } from '../../parts/confirm.tsx'
import { AccessItem, usedText } from './access-item.tsx'
import { browserOf } from './browser.ts'

type Passkey = Responses['POST /host/v1/two-factor/passkeys']['passkey']
type Added = Responses['POST /host/v1/two-factor/passkeys']

/** The passkeys of a user, each of which can be removed; users add them for themselves. */
export function Passkeys(props: {
  readonly passkeys: readonly Passkey[]
  readonly isOwn: boolean
  /** The route whose response changes. */
  readonly route: string
  readonly onCodes: (codes: readonly string[]) => void
}) {
  const { passkeys, isOwn, route, onCodes } = props
  const remove = useChange((id: string) => change('DELETE', `${route}/passkeys/${id}`), {
    invalidates: [route],
    done: __('Passkey removed.', 'pentad'),
  })
  async function askAndRemove({ id, name }: Passkey): Promise<void> {
    const isSure = await confirm({
      title: sprintf(__('Remove passkey “%s”?', 'pentad'), name),
      body: __('You will no longer be able to log in with it. You can also delete it on your device.', 'pentad'),
      confirm: __('Remove', 'pentad'),
      isDestructive: true,
    })
    if (isSure) remove.mutate(id)
  }
  return (
    <Stack gap="xs">
      <Text size="sm" fw={600}>
        {__('Passkeys', 'pentad')}
      </Text>
      <Text size="sm" c="dimmed">
        {__('Log in with your fingerprint, face, or PIN instead of the password.', 'pentad')}
      </Text>
      {passkeys.map((passkey) => (
        <AccessItem key={passkey.id} name={passkey.name} details={usedText(passkey)}>
          <Button
            size="compact-xs"
            variant="light"
            color="red"
            aria-label={sprintf(__('Remove “%s”', 'pentad'), passkey.name)}
            onClick={() => askAndRemove(passkey)}
          >
            {__('Remove', 'pentad')}
          </Button>
        </AccessItem>
      ))}
      {isOwn && <AddPasskey route={route} onCodes={onCodes} />}
    </Stack>
  )
}

function AddPasskey({ route, onCodes }: { route: string; onCodes: (codes: readonly string[]) => void }) {
  const [name, setName] = useState(() => browserOf(navigator.userAgent))
  const add = useChange(
    async () => {
      const options = await change<PublicKeyCredentialCreationOptionsJSON>('POST', `${TWO_FACTOR}/passkeys/options`)
      const credential = await createPasskey(options)
      return change<Added>('POST', `${TWO_FACTOR}/passkeys`, { name: name.trim(), credential })
    },
    { invalidates: [route], done: __('Passkey added.', 'pentad') },
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    add.mutate(undefined, { onSuccess: ({ recoveryCodes }) => recoveryCodes.length > 0 && onCodes(recoveryCodes) })
  }
  if (!isPasskeySupported()) {
    return <NotSupported />
  }
  return (
    <form onSubmit={submit}>
      <Group align="flex-end">
        <TextInput
          label={__('Passkey name', 'pentad')}
          required
          maxLength={100}
          value={name}
          onChange={({ currentTarget: { value } }) => setName(value)}
        />
        <Button type="submit" variant="default" loading={add.isPending} disabled={name.trim() === ''}>
          {__('Add passkey', 'pentad')}
        </Button>
      </Group>
    </form>
  )
}

function NotSupported() {
  const { protocol, hostname, port } = new URL(pageData.site.url)
  const isThisComputer = protocol === 'http:' && /^(?:127\.[\d.]+|\[::1\])$/.test(hostname)
  return (
    <Alert color="gray">
      {__(
        'Passkeys require an up-to-date browser and a site URL with a domain name and HTTPS, or with the host name localhost.',
        'pentad',
      )}
      {isThisComputer &&
        ` ${sprintf(
          /* translators: 1: name of an environment variable, 2: URL */
          __('To use passkeys on this computer, set %1$s to %2$s, restart Pentad, and log in at this URL.', 'pentad'),
          'PENTAD_URL',
          `http://localhost${port && `:${port}`}`,
        )}`}
    </Alert>
  )
}

const TWO_FACTOR = 'host/v1/two-factor'
