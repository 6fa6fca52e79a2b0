import { ApiError } from '../../api/error.ts'
import { useChange } from '../../api/query.ts'
import type { Responses } from '../../api/responses.ts'
import { change } from '../../api/rest.ts'
import { __, sprintf } from '../../i18n.ts'
import { EMAIL_STORED } from '../../parts/stored-email.ts'

type Sent = Responses['POST /host/v1/users/{user_id}/password-link']
type Occasion = 'reset' | 'invitation'

/** Sends a user, by ID, an email with a link to set a password. */
export function usePasswordLink(occasion: Occasion) {
  async function send(userId: number): Promise<Sent> {
    try {
      return await change<Sent>('POST', `host/v1/users/${userId}/password-link`, { occasion })
    } catch (error) {
      throw error instanceof ApiError && error.code === 'mail_failed' ? explained(error, occasion) : error
    }
  }
  return useChange(send, {
    done: ({ email, storedAsFile }) =>
      storedAsFile ? EMAIL_STORED : sprintf(__('Sent a link to %s.', 'pentad'), email),
  })
}

function explained({ data }: ApiError, occasion: Occasion): Error {
  const code = String(data.reason)
  const details = data.smtpStatus === undefined ? code : `${code} ${data.smtpStatus}`
  const advice =
    occasion === 'invitation'
      ? __('Check the settings under Settings → Email, then open the user and select “Send invitation”.', 'pentad')
      : __('Check the settings under Settings → Email, then try again.', 'pentad')
  return new Error(
    [sprintf(__('The email could not be sent (%s).', 'pentad'), details), reasonOf(code), advice].join(' '),
  )
}

/** What the error codes of the server mean; they come without the words of the SMTP server, which may contain secrets. */
function reasonOf(code: string): string {
  switch (code) {
    case 'EAUTH':
      return __('The SMTP server rejected the username or password.', 'pentad')
    case 'EDNS':
      return __('The name of the SMTP server was not found.', 'pentad')
    case 'EENVELOPE':
      return __('The SMTP server rejected the address of the sender or recipient.', 'pentad')
    case 'ECONNECTION':
    case 'ESOCKET':
      return __('Could not connect to the SMTP server.', 'pentad')
    case 'ETIMEDOUT':
      return __('The SMTP server did not respond in time.', 'pentad')
    case 'ETLS':
      return __('Could not establish an encrypted connection to the SMTP server.', 'pentad')
    default:
      return __('The SMTP server did not accept the email.', 'pentad')
  }
}
