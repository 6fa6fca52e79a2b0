import { createTransport } from 'nodemailer'
import { z } from 'zod'
import { messageOf } from '../../core/errors.ts'
import { type DoctorCheck, error, ok, warning } from './types.ts'

/** Milliseconds for the name, the connection and the greeting, each. */
const TIME_LIMIT = 5_000

/** Connects to the SMTP server and logs in, without sending anything. */
export const checkMail: DoctorCheck = async ({ config: { smtpUrl, siteDir }, options, texts }) => {
  const { __ } = texts
  const settings = z.object({ smtpHost: z.string().min(1) }).safeParse(options.mail_settings).data
  if (smtpUrl === undefined && settings) {
    // The password is encrypted, so only the site itself can log in.
    return [
      ok('email', __('Emails are sent through %s. To test it, use Settings → Email in the admin.', settings.smtpHost)),
    ]
  }
  if (smtpUrl === undefined) {
    const message = __(
      'No SMTP server is configured: password resets and notifications are not sent, but stored in %s.',
      `${siteDir}/mail`,
    )
    return [
      warning(
        'email',
        message,
        __('Enter an SMTP server under Settings → Email, or set PENTAD_SMTP_URL=smtp://user:password@host:587'),
        { label: 'Email settings', screen: 'settings/mail' },
      ),
    ]
  }
  const { hostname, port } = new URL(smtpUrl)
  const server = port === '' ? hostname : `${hostname}:${port}`
  const limits = { connectionTimeout: TIME_LIMIT, greetingTimeout: TIME_LIMIT, dnsTimeout: TIME_LIMIT }
  const transport = createTransport({ url: smtpUrl, socketTimeout: TIME_LIMIT, ...limits })
  try {
    await transport.verify()
    return [ok('email', __('The SMTP server %s accepts emails.', server))]
  } catch (thrown) {
    const fix = __('Check the host, port, username, and password in PENTAD_SMTP_URL, and the firewall.')
    const reason = withoutPassword(messageOf(thrown), smtpUrl)
    return [error('email', __('The SMTP server %1$s cannot be used: %2$s', server, reason), fix)]
  } finally {
    transport.close()
  }
}

/** A server may repeat what it received. */
function withoutPassword(message: string, smtpUrl: string): string {
  const password = decodeURIComponent(new URL(smtpUrl).password)
  return password === '' ? message : message.replaceAll(password, '***')
}
