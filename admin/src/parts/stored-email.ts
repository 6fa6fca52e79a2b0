import { __ } from '../i18n.ts'

/** What a notification says in place of “sent” where no SMTP server is configured. */
export const EMAIL_STORED = __(
  'The email was not sent, because no SMTP server is configured. It was saved in the site’s “mail” folder.',
  'pentad',
)
