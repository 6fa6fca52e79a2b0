import { useChange } from '../../api/query.ts'
import type { Responses } from '../../api/responses.ts'
import { change } from '../../api/rest.ts'
import { __, sprintf } from '../../i18n.ts'

type Sent = Responses['POST /host/v1/users/{user_id}/password-link']

/** Sends a user, by ID, an email with a link to set a password. */
export function usePasswordLink(occasion: 'reset' | 'invitation') {
  return useChange((userId: number) => change<Sent>('POST', `host/v1/users/${userId}/password-link`, { occasion }), {
    done: ({ email, storedAsFile }) =>
      storedAsFile
        ? __(
            'The email was not sent, because no SMTP server is configured. It was saved in the site’s “mail” folder.',
            'pentad',
          )
        : sprintf(__('Sent a link to %s.', 'pentad'), email),
  })
}
