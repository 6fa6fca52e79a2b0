import { z } from 'zod'
import { secretSetting, textSetting } from '../setting-types.ts'

const group = 'Google Drive'

export const googleDriveSettings = z.object({
  googleDriveClientId: textSetting().meta({
    title: 'Client ID',
    description: 'Of an OAuth client that you make in the Google Cloud console.',
    group,
  }),
  googleDriveClientSecret: secretSetting().meta({ title: 'Client secret', group, secret: true }),
  googleDriveRefreshToken: secretSetting().meta({
    title: 'Refresh token',
    description: 'With the scope https://www.googleapis.com/auth/drive.file, which sees only what Pentad put there.',
    group,
    secret: true,
  }),
  googleDriveFolder: textSetting().meta({
    title: 'Folder',
    description: 'In My Drive; made if it is not there. Empty: Pentad backups.',
    group,
  }),
})

export type GoogleDriveSettings = z.output<typeof googleDriveSettings>
