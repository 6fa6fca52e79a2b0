import { z } from 'zod'
import { secretSetting, textSetting } from '../setting-types.ts'

const group = 'SFTP'

/** The settings that identify the account a secret belongs to. */
const boundTo = ['sftpHost', 'sftpPort', 'sftpUser', 'sftpHostFingerprint']

export const sftpSettings = z.object({
  sftpHost: textSetting().meta({ title: 'Server', description: 'Host name or IP address.', group }),
  sftpPort: z.int().min(1).max(65_535).default(22).meta({ title: 'Port', group }),
  sftpUser: textSetting().meta({ title: 'Username', group }),
  sftpPassword: secretSetting().meta({
    title: 'Password',
    description: 'Password of the user, or passphrase of the private key.',
    group,
    secret: true,
    boundTo,
  }),
  sftpPrivateKey: secretSetting().meta({
    title: 'Private key',
    description: 'In OpenSSH or PEM format. Used instead of a password.',
    group,
    secret: true,
    boundTo,
  }),
  sftpHostFingerprint: z
    .union([
      z.literal(''),
      z.string().regex(/^SHA256:[A-Za-z0-9+/]{43}$/, 'It must be a SHA-256 fingerprint, such as SHA256:nThbg6k…'),
    ])
    .default('')
    .meta({
      title: 'Host key fingerprint',
      description:
        'SHA-256 fingerprint of the server’s host key, as shown by ssh-keygen -lf. The connection test shows the fingerprint of the server: verify it before you trust it.',
      group,
    }),
  sftpPath: textSetting().meta({
    title: 'Folder',
    description: 'Absolute, or relative to the home folder of the user. Default: pentad-backups.',
    group,
  }),
})

export type SftpSettings = z.output<typeof sftpSettings>
