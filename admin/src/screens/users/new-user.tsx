import { Button, Group, Paper, Select, Stack, Text, TextInput } from '@mantine/core'
import { __, sprintf } from '@wordpress/i18n'
import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { ApiError } from '../../api/error.ts'
import { useChange } from '../../api/query.ts'
import { change } from '../../api/rest.ts'
import { can } from '../../page-data.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { useLeaveGuard } from '../../parts/leave-guard.ts'
import { Page } from '../../parts/page.tsx'
import { PasswordField } from './password-field.tsx'
import { useRoles } from './roles.ts'
import { USERS, type UserItem } from './user.ts'

const EMPTY = { username: '', email: '', first_name: '', last_name: '', password: '', role: 'subscriber' }

export default function NewUser() {
  const navigate = useNavigate()
  const roles = useRoles()
  const [asked, setAsked] = useState(EMPTY)
  const { role, ...fields } = asked
  const create = useChange(
    () => change<UserItem>('POST', USERS, { ...fields, ...(can('promote_users') && { roles: [role] }) }),
    { invalidates: [USERS], done: (user) => sprintf(__('%s can sign in now.', 'pentad'), user.username), quiet: true },
  )
  useLeaveGuard(!create.isPending && !create.isSuccess && JSON.stringify(asked) !== JSON.stringify(EMPTY))
  const refusals = create.error instanceof ApiError ? create.error.params : {}
  const field = (key: Exclude<keyof typeof EMPTY, 'password' | 'role'>) => ({
    value: asked[key],
    error: refusals[key],
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      setAsked((before) => ({ ...before, [key]: value })),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate(undefined, { onSuccess: () => navigate('/users') })
  }
  return (
    <Page title={__('Add user', 'pentad')}>
      <Paper withBorder p="md" maw={640}>
        <form onSubmit={submit}>
          <Stack>
            {create.error && <ErrorNote error={create.error} />}
            <TextInput
              label={__('User name', 'pentad')}
              description={__('For signing in. It can’t be changed later.', 'pentad')}
              required
              maxLength={60}
              autoComplete="off"
              {...field('username')}
            />
            <TextInput label={__('Email', 'pentad')} type="email" required autoComplete="off" {...field('email')} />
            <Group grow preventGrowOverflow={false}>
              <TextInput label={__('First name', 'pentad')} {...field('first_name')} />
              <TextInput label={__('Last name', 'pentad')} {...field('last_name')} />
            </Group>
            <PasswordField
              label={__('Password', 'pentad')}
              description={__('Give it to them in a way that nobody else sees.', 'pentad')}
              required
              value={asked.password}
              error={refusals.password}
              onChange={(password) => setAsked((before) => ({ ...before, password }))}
            />
            {can('promote_users') && (
              <Select
                label={__('Role', 'pentad')}
                description={roles.aboutOf(role)}
                data={roles.options}
                value={role}
                allowDeselect={false}
                onChange={(value) => setAsked((before) => ({ ...before, role: value ?? before.role }))}
              />
            )}
            <Group>
              <Button type="submit" loading={create.isPending}>
                {__('Add user', 'pentad')}
              </Button>
              <Text size="sm" c="dimmed">
                {__('No mail is sent.', 'pentad')}
              </Text>
            </Group>
          </Stack>
        </form>
      </Paper>
    </Page>
  )
}
