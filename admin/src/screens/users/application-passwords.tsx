import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import { useChange, useRead } from '../../api/query.ts'
import type { Responses } from '../../api/responses.ts'
import { change } from '../../api/rest.ts'
import { __, sprintf } from '../../i18n.ts'
import { confirm } from '../../parts/confirm.tsx'
import { formatAgo, formatDate } from '../../parts/format.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Section } from '../../parts/section.tsx'
import { AccessItem } from './access-item.tsx'
import { NewPassword } from './new-password.tsx'
import { USERS } from './user.ts'

type ApplicationPassword = Responses['ApplicationPasswords']

/** Application passwords, each of which can be revoked. */
export function ApplicationPasswords({ userId }: { userId: number }) {
  const route = `${USERS}/${userId}/application-passwords`
  const list = useRead<readonly ApplicationPassword[]>(route)
  const [name, setName] = useState('')
  const create = useChange(() => change<ApplicationPassword>('POST', route, { name: name.trim() }), {
    invalidates: [route],
  })
  const field = useRef<HTMLInputElement>(null)
  const buttons = useRef(new Map<string, HTMLButtonElement>())
  /** Moves the focus from the row that will be removed to the next one, or to the field for a new one. */
  function leaveRow(uuid: string): void {
    const uuids = [...buttons.current.keys()]
    const at = uuids.indexOf(uuid)
    const next = buttons.current.get(uuids[at + 1] ?? uuids[at - 1] ?? '')
    ;(uuid === '' ? field.current : (next ?? field.current))?.focus()
  }
  async function send(uuid: string): Promise<void> {
    await change('DELETE', uuid === '' ? route : `${route}/${uuid}`)
    leaveRow(uuid)
  }
  const revoke = useChange(send, {
    invalidates: [route],
    done: (_, uuid) =>
      uuid === '' ? __('All application passwords revoked.', 'pentad') : __('Application password revoked.', 'pentad'),
  })
  async function askAndRevoke(uuid: string, title: string): Promise<void> {
    const isSure = await confirm({
      title,
      body: __('Applications that use it will lose access.', 'pentad'),
      confirm: __('Revoke', 'pentad'),
      isDestructive: true,
    })
    if (isSure) revoke.mutate(uuid)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate(undefined, { onSuccess: () => setName('') })
  }
  return (
    <Section
      title={__('Application passwords', 'pentad')}
      description={__(
        'Give an application access to the REST API without sharing the account password. Application passwords can’t be used to log in to the admin.',
        'pentad',
      )}
    >
      {create.data && <NewPassword name={create.data.name} password={create.data.password} />}
      <form onSubmit={submit}>
        <Group align="flex-end">
          <TextInput
            ref={field}
            label={__('Application name', 'pentad')}
            required
            maxLength={200}
            value={name}
            onChange={({ currentTarget: { value } }) => setName(value)}
          />
          <Button type="submit" loading={create.isPending} disabled={name.trim() === ''}>
            {__('Add application password', 'pentad')}
          </Button>
        </Group>
      </form>
      <Loaded query={list}>
        {(items) =>
          items.length === 0 ? (
            <Text size="sm" c="dimmed">
              {__('No application passwords yet.', 'pentad')}
            </Text>
          ) : (
            <Stack gap="xs">
              {items.map((item) => (
                <AccessItem key={item.uuid} name={item.name} details={usedText(item)}>
                  <Button
                    ref={(button: HTMLButtonElement) => {
                      buttons.current.set(item.uuid, button)
                      return () => void buttons.current.delete(item.uuid)
                    }}
                    size="compact-xs"
                    variant="light"
                    color="red"
                    aria-label={sprintf(__('Revoke “%s”', 'pentad'), item.name)}
                    onClick={() => askAndRevoke(item.uuid, sprintf(__('Revoke “%s”?', 'pentad'), item.name))}
                  >
                    {__('Revoke', 'pentad')}
                  </Button>
                </AccessItem>
              ))}
              {items.length > 1 && (
                <Button
                  variant="subtle"
                  color="red"
                  style={{ alignSelf: 'flex-start' }}
                  onClick={() => askAndRevoke('', __('Revoke all application passwords?', 'pentad'))}
                >
                  {__('Revoke all', 'pentad')}
                </Button>
              )}
            </Stack>
          )
        }
      </Loaded>
    </Section>
  )
}

function usedText({ created, last_used: used, last_ip: address }: ApplicationPassword): string {
  if (!used) return sprintf(__('Created %s, never used', 'pentad'), formatDate(created))
  return sprintf(
    __('Created %1$s, last used %2$s from %3$s', 'pentad'),
    ...[formatDate(created), formatAgo(used), address ?? '–'],
  )
}
