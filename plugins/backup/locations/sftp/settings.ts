import { z } from 'zod'
import { secretSetting, textSetting } from '../setting-types.ts'

const group = 'SFTP'

/** What says which account of which server a secret is for. */
const boundTo = ['sftpHost', 'sftpPort', 'sftpUser', 'sftpHostFingerprint']

export const sftpSettings = z.object({
  sftpHost: textSetting().meta({ title: 'Server', description: 'Host name or address.', group }),
  sftpPort: z.int().min(1).max(65_535).default(22).meta({ title: 'Port', group }),
  sftpUser: textSetting().meta({ title: 'User name', group }),
  sftpPassword: secretSetting().meta({
    title: 'Password',
    description: 'Or the passphrase of the private key.',
    group,
    secret: true,
    boundTo,
  }),
  sftpPrivateKey: secretSetting().meta({
    title: 'Private key',
    description: 'In OpenSSH or PEM format; instead of a password.',
    group,
    secret: true,
    boundTo,
  }),
  sftpHostFingerprint: z
    .union([z.literal(''), z.string().regex(/^SHA256:[A-Za-z0-9+/]{43}$/, 'must look like SHA256:nThbg6k…')])
    .default('')
    .meta({
      title: 'Fingerprint of the server',
      description:
        'As ssh-keygen -lf shows it. The connection test says what the server presents; compare it before you enter it.',
      group,
    }),
  sftpPath: textSetting().meta({
    title: 'Folder',
    description: 'Absolute, or below the folder in which the user arrives. Empty: pentad-backups.',
    group,
  }),
})

export type SftpSettings = z.output<typeof sftpSettings>
