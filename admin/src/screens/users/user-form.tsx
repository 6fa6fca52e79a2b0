import { Alert, Anchor, Button, Select, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core'
import type { FormEvent } from 'react'
import { ApiError } from '../../api/error.ts'
import { useChange, useRead } from '../../api/query.ts'
import type { Responses } from '../../api/responses.ts'
import { change } from '../../api/rest.ts'
import { __ } from '../../i18n.ts'
import { can, pageData } from '../../page-data.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { LanguageSelect } from '../../parts/language-select.tsx'
import { useLeaveGuard } from '../../parts/leave-guard.ts'
import { useReloadForLanguage } from '../../parts/reload-for-language.ts'
import { SaveBar } from '../../parts/save-bar.tsx'
import { Section } from '../../parts/section.tsx'
import { useFields } from '../../parts/use-fields.ts'
import { ImageField } from '../media/image-field.tsx'
import { PasswordField } from './password-field.tsx'
import { usePasswordLink } from './password-link.ts'
import { EMAIL_CHANGE, PendingEmail } from './pending-email.tsx'
import { useRoles } from './roles.ts'
import { USERS, type UserItem } from './user.ts'

const KEYS = ['name', 'first_name', 'last_name', 'email', 'url', 'description', 'locale'] as const
type Asked = Record<(typeof KEYS)[number] | 'role' | 'password', string> & { readonly picture: number }

const ofUser = (user: UserItem): Asked => ({
  ...{ name: user.name, first_name: user.first_name, last_name: user.last_name, email: user.email, url: user.url },
  ...{ description: user.description, locale: user.locale, role: user.roles[0] ?? '', password: '' },
  picture: user.profile_picture ?? 0,
})

/** The profile of a user, with one save button. */
export function UserForm({ user, isOwn }: { user: UserItem; isOwn: boolean }) {
  const stored = ofUser(user)
  const { fields, set, field } = useFields<Asked>(stored)
  const changed = KEYS.filter((key) => fields[key] !== stored[key])
  // Where the site can send email, the new address of one's own account is confirmed first.
  const confirmsEmail = isOwn && pageData.site.sendsEmail && changed.includes('email')
  const sent = confirmsEmail ? changed.filter((key) => key !== 'email') : changed
  const isPromoted = fields.role !== stored.role
  const hasNewPicture = fields.picture !== stored.picture
  const isDirty = changed.length > 0 || hasNewPicture || isPromoted || fields.password !== ''
  useLeaveGuard(isDirty)
  useReloadForLanguage(isOwn ? stored.locale : '', isDirty)
  const save = useChange(
    async () => {
      if (confirmsEmail) await change('POST', EMAIL_CHANGE, { email: fields.email })
      return change<UserItem>('POST', `${USERS}/${user.id}`, {
        ...Object.fromEntries(sent.map((key) => [key, fields[key]])),
        ...(hasNewPicture && { profile_picture: fields.picture }),
        ...(fields.password !== '' && { password: fields.password }),
        ...(isPromoted && { roles: [fields.role] }),
      })
    },
    { invalidates: [USERS, 'host/v1/users', EMAIL_CHANGE], done: __('Saved.', 'pentad'), quiet: true },
  )
  const fieldErrors = save.error instanceof ApiError ? save.error.params : {}
  const input = (key: (typeof KEYS)[number]) => ({ ...field(key), error: fieldErrors[key] })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate(undefined, { onSuccess: (saved) => set(ofUser(saved)) })
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        {save.error && <ErrorNote error={save.error} />}
        <Section
          title={__('Profile', 'pentad')}
          actions={
            (!isOwn || can('edit_posts')) && (
              <Anchor href={user.link} size="sm">
                {isOwn ? __('View your posts', 'pentad') : __('View their posts', 'pentad')}
              </Anchor>
            )
          }
        >
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <TextInput label={__('Username', 'pentad')} value={user.username} readOnly variant="filled" />
            <TextInput label={__('Display name', 'pentad')} required maxLength={250} {...input('name')} />
            <TextInput label={__('First name', 'pentad')} maxLength={250} {...input('first_name')} />
            <TextInput label={__('Last name', 'pentad')} maxLength={250} {...input('last_name')} />
            <div>
              <TextInput label={__('Email', 'pentad')} type="email" required {...input('email')} />
              {isOwn && <PendingEmail />}
            </div>
            <TextInput label={__('Website', 'pentad')} type="url" placeholder="https://" {...input('url')} />
          </SimpleGrid>
          <Textarea
            label={__('Biographical info', 'pentad')}
            description={__('May be shown on the site, depending on the theme.', 'pentad')}
            autosize
            minRows={2}
            {...input('description')}
          />
          {can('upload_files') && (
            <ImageField
              label={__('Profile picture', 'pentad')}
              description={__('Shown with the posts of this user, depending on the theme.', 'pentad')}
              error={fieldErrors.profile_picture}
              value={fields.picture}
              onChange={(picture) => set({ picture })}
            />
          )}
          <LanguageSelect
            label={__('Admin language', 'pentad')}
            value={fields.locale}
            hasSiteDefault
            onChange={(locale) => set({ locale })}
            error={fieldErrors.locale}
          />
        </Section>
        {can('promote_users') && !isOwn && <RoleSection role={fields.role} onChange={(role) => set({ role })} />}
        <Section
          title={__('Password', 'pentad')}
          actions={!isOwn && stored.email !== '' && <PasswordLinkButton userId={user.id} />}
        >
          {isOwn && fields.password !== '' && (
            <Alert color="yellow">
              {__(
                'You will be logged out of all other sessions, and your application passwords will be revoked.',
                'pentad',
              )}
            </Alert>
          )}
          <PasswordField
            label={__('New password', 'pentad')}
            description={__(
              'At least 8 characters, and not a commonly used password. Leave empty to keep the current password.',
              'pentad',
            )}
            value={fields.password}
            error={fieldErrors.password}
            onChange={(password) => set({ password })}
          />
        </Section>
        <SaveBar isDirty={isDirty} isSaving={save.isPending} onDiscard={() => set(stored)} />
      </Stack>
    </form>
  )
}

type LinkState = Responses['GET /host/v1/users/{user_id}/password-link']

/** Users who have not logged in yet may not have received their invitation. */
function PasswordLinkButton({ userId }: { userId: number }) {
  const known = useRead<LinkState>(`host/v1/users/${userId}/password-link`)
  const isNew = known.data?.needsInvitation === true
  const link = usePasswordLink(isNew ? 'invitation' : 'reset')
  if (known.isPending) return null
  return (
    <Button size="compact-sm" variant="light" loading={link.isPending} onClick={() => link.mutate(userId)}>
      {isNew ? __('Send invitation', 'pentad') : __('Send password reset link', 'pentad')}
    </Button>
  )
}

function RoleSection({ role, onChange }: { role: string; onChange: (role: string) => void }) {
  const roles = useRoles()
  return (
    <Section title={__('Role', 'pentad')}>
      <Select
        aria-label={__('Role', 'pentad')}
        description={roles.aboutOf(role)}
        data={roles.options}
        value={role || null}
        placeholder={__('No role', 'pentad')}
        allowDeselect={false}
        onChange={(value) => onChange(value ?? role)}
      />
    </Section>
  )
}
