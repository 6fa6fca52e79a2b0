import { z } from 'zod'
import { toJson } from '../../core/options/json.ts'
import { MASK } from '../../core/options/secrets.ts'
import { describeSettings } from '../../core/options/settings-schema.ts'
import { line } from '../settings/fields.ts'
import type { SmtpServer } from './types.ts'

const HOST = /^(?:[a-z\d](?:[a-z\d.-]*[a-z\d])?|\[?[\da-f:.]+\]?)?$/i

/** The settings record `mail`: how the site sends email. */
export const mailSettings = z.object({
  smtpHost: line(253)
    .refine((host) => HOST.test(host), 'It must be a host name, such as smtp.example.org.')
    .default('')
    .meta({
      title: 'SMTP server',
      description:
        'The host name from your email provider, such as smtp.example.org. Without a server, emails are not sent, but stored in the site’s mail/ folder.',
    }),
  smtpPort: z.int().min(1).max(65_535).default(587).meta({
    title: 'Port',
    description: 'Usually 587 with STARTTLS, 465 with TLS.',
  }),
  smtpSecurity: z.enum(['starttls', 'tls', 'none']).default('starttls').meta({
    title: 'Encryption',
    description: 'Use “none” only for a server on the same machine: passwords and emails are sent in plain text.',
  }),
  smtpUser: line(254).default('').meta({
    title: 'Username',
    description: 'Often the full email address. Leave empty if the server requires no login.',
  }),
  smtpPassword: z
    .string()
    .max(1000)
    .default('')
    .meta({
      title: 'Password',
      secret: true,
      boundTo: ['smtpHost'],
    }),
  fromEmail: z
    .union([z.email().max(100), z.literal('')])
    .default('')
    .meta({
      title: 'Sender address',
      description:
        'Many servers accept only addresses at your own domain. If empty, the administration email address is used.',
    }),
  fromName: line(100).default('').meta({
    title: 'Sender name',
    description: 'If empty, the site title is used.',
  }),
  logDays: z.int().min(0).max(365).default(30).meta({
    title: 'Days to keep the email log',
    description: 'Enter 0 to record no emails.',
  }),
})

export type MailSettings = z.output<typeof mailSettings>

/**
 * The settings as an update would store them, for a test before they are stored. As in an update, the stored password is used only for
 * the server for which it was entered.
 * @throws RestError 400 `rest_invalid_param`
 */
export function withChanges(stored: MailSettings, changes: Readonly<Record<string, unknown>>): MailSettings {
  const described = describeSettings('mail', mailSettings)
  const supplied = Object.entries(changes)
    .filter(([key, value]) => key !== 'smtpPassword' || value !== MASK)
    .map(([key, value]) => [key, toJson(value, key)])
  const accepted = described.check(Object.fromEntries(supplied))
  const next: Record<string, unknown> = { ...stored, ...accepted }
  const removed = described.checkSecrets({ previous: stored, next, supplied: new Set(Object.keys(accepted)) })
  return mailSettings.parse(Object.fromEntries(Object.entries(next).filter(([key]) => !removed.includes(key))))
}

/** The SMTP server in the settings; `undefined` if there is none. */
export function serverOf(settings: MailSettings): SmtpServer | undefined {
  const { smtpHost, smtpPort, smtpSecurity, smtpUser, smtpPassword } = settings
  if (smtpHost === '') return undefined
  return {
    host: smtpHost.replace(/^\[|\]$/g, ''),
    port: smtpPort,
    security: smtpSecurity,
    user: smtpUser,
    password: smtpPassword,
  }
}
