import { TextInput } from '@mantine/core'
import { ApiError } from '../../api/error.ts'
import { useChange } from '../../api/query.ts'
import type { Responses } from '../../api/responses.ts'
import { change, read } from '../../api/rest.ts'
import { __ } from '../../i18n.ts'
import { pageData } from '../../page-data.ts'
import { PLACEHOLDER_EMAIL } from '../../parts/placeholder-email.ts'
import { SETTINGS } from '../../parts/site-title.ts'
import { useFields } from '../../parts/use-fields.ts'

const USERS = 'wp/v2/users'

/** The name and, until the account has a real one, the email address of the administrator who sets up the site. */
export function useOwnAccount() {
  const { id, name, email } = pageData.user
  const asksEmail = email === PLACEHOLDER_EMAIL
  const { fields, field } = useFields({ name, email: '' })
  const isDirty = fields.name !== name || fields.email !== ''
  const send = useChange(
    async () => {
      const { email: address } = fields
      await change('POST', `${USERS}/${id}`, { name: fields.name, ...(address !== '' && { email: address }) })
      if (address === '') return
      // Messages of the contact form and notifications go there, unless the site already has a real address.
      const { email: stored } = await read<Responses['Settings']>(SETTINGS)
      if (stored === PLACEHOLDER_EMAIL) await change('POST', SETTINGS, { email: address })
    },
    { invalidates: [USERS, SETTINGS] },
  )
  const refused = send.error instanceof ApiError ? send.error.params : {}
  return {
    isDirty,
    isSaving: send.isPending,
    /** @returns whether the account was saved */
    save: () =>
      !isDirty ||
      send.mutateAsync().then(
        () => true,
        () => false,
      ),
    inputs: (
      <>
        <TextInput
          label={__('Your name', 'pentad')}
          description={__('Shown as the author of your posts.', 'pentad')}
          maxLength={250}
          {...field('name')}
          error={refused.name}
        />
        {asksEmail && (
          <TextInput
            type="email"
            label={__('Your email address', 'pentad')}
            description={__(
              'Receives notifications, contact form messages, and links to reset your password.',
              'pentad',
            )}
            maxLength={100}
            {...field('email')}
            error={refused.email}
          />
        )}
      </>
    ),
  }
}
