import { Button, Checkbox, Group, Paper, Select, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { ApiError } from '../../api/error.ts'
import { useChange } from '../../api/query.ts'
import { change } from '../../api/rest.ts'
import { __, sprintf } from '../../i18n.ts'
import { can, pageData } from '../../page-data.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { useLeaveGuard } from '../../parts/leave-guard.ts'
import { Page } from '../../parts/page.tsx'
import { useFields } from '../../parts/use-fields.ts'
import { PasswordField } from './password-field.tsx'
import { usePasswordLink } from './password-link.ts'
import { useRoles } from './roles.ts'
import { newPassword, USERS, type UserItem } from './user.ts'

const EMPTY = { username: '', email: '', first_name: '', last_name: '', password: '', role: 'subscriber' }

export default function NewUser() {
  const navigate = useNavigate()
  const roles = useRoles()
  const { fields, set, field } = useFields(EMPTY)
  // Without an SMTP server, the email would not be sent.
  const [invites, setInvites] = useState(pageData.site.sendsEmail)
  const invite = usePasswordLink('invitation')
  const { role, ...others } = fields
  const create = useChange(
    () =>
      change<UserItem>('POST', USERS, {
        ...others,
        // The user chooses another one.
        ...(invites && { password: newPassword() }),
        ...(can('promote_users') && { roles: [role] }),
      }),
    { invalidates: [USERS], done: (user) => sprintf(__('User %s added.', 'pentad'), user.username), quiet: true },
  )
  useLeaveGuard(!create.isPending && !create.isSuccess && JSON.stringify(fields) !== JSON.stringify(EMPTY))
  const fieldErrors = create.error instanceof ApiError ? create.error.params : {}
  const input = (key: 'username' | 'email' | 'first_name' | 'last_name') => ({ ...field(key), error: fieldErrors[key] })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate(undefined, {
      onSuccess({ id }) {
        if (invites) invite.mutate(id)
        navigate('/users')
      },
    })
  }
  return (
    <Page title={__('Add user', 'pentad')}>
      <Paper withBorder p="md" maw={640}>
        <form onSubmit={submit}>
          <Stack>
            {create.error && <ErrorNote error={create.error} />}
            <TextInput
              label={__('Username', 'pentad')}
              description={__('Used to log in. Usernames can’t be changed.', 'pentad')}
              required
              maxLength={60}
              autoComplete="off"
              {...input('username')}
            />
            <TextInput label={__('Email', 'pentad')} type="email" required autoComplete="off" {...input('email')} />
            <Group grow preventGrowOverflow={false}>
              <TextInput label={__('First name', 'pentad')} {...input('first_name')} />
              <TextInput label={__('Last name', 'pentad')} {...input('last_name')} />
            </Group>
            <Checkbox
              label={__('Email the user a link to set a password', 'pentad')}
              description={__('The link can be used once and expires after seven days.', 'pentad')}
              checked={invites}
              onChange={({ currentTarget }) => setInvites(currentTarget.checked)}
            />
            {!invites && (
              <PasswordField
                label={__('Password', 'pentad')}
                description={__('Share it with the user securely.', 'pentad')}
                required
                value={fields.password}
                error={fieldErrors.password}
                onChange={(password) => set({ password })}
              />
            )}
            {can('promote_users') && (
              <Select
                label={__('Role', 'pentad')}
                description={roles.aboutOf(role)}
                data={roles.options}
                value={role}
                allowDeselect={false}
                onChange={(value) => set({ role: value ?? role })}
              />
            )}
            <Group>
              <Button type="submit" loading={create.isPending}>
                {__('Add user', 'pentad')}
              </Button>
              {!invites && (
                <Text size="sm" c="dimmed">
                  {__('The user is not notified by email.', 'pentad')}
                </Text>
              )}
            </Group>
          </Stack>
        </form>
      </Paper>
    </Page>
  )
}
