import { Stack } from '@mantine/core'
import { Navigate, useParams } from 'react-router'
import { useRead } from '../../api/query.ts'
import { __ } from '../../i18n.ts'
import { can, pageData } from '../../page-data.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { ApplicationPasswords } from './application-passwords.tsx'
import { ConnectedApplications } from './connections.tsx'
import { SessionList } from './session-list.tsx'
import { TwoFactor } from './two-factor.tsx'
import { USERS, type UserItem } from './user.ts'
import { UserForm } from './user-form.tsx'

/** Edits another user. */
export default function EditUser() {
  const id = Number(useParams().id)
  if (id === pageData.user.id) return <Navigate to="/profile" replace />
  return <UserPage id={id} />
}

export function UserPage({ id }: { id: number }) {
  const user = useRead<UserItem>(`${USERS}/${id}`, { context: 'edit' })
  const isOwn = id === pageData.user.id
  return (
    <Page title={isOwn ? __('Profile', 'pentad') : (user.data?.name ?? __('User', 'pentad'))}>
      <Loaded query={user} lines={8}>
        {(known) => (
          <Stack maw={760}>
            <UserForm key={known.id} user={known} isOwn={isOwn} />
            {(isOwn || can('edit_users')) && (
              <>
                <TwoFactor userId={id} isOwn={isOwn} />
                <ApplicationPasswords userId={id} />
                <ConnectedApplications userId={id} />
                <SessionList userId={id} isOwn={isOwn} />
              </>
            )}
          </Stack>
        )}
      </Loaded>
    </Page>
  )
}
