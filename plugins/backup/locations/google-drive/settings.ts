import { z } from 'zod'
import { secretSetting, textSetting } from '../setting-types.ts'

const group = 'Google Drive'

export const googleDriveSettings = z.object({
  googleDriveClientId: textSetting().meta({
    title: 'Client ID',
    description: 'ID of the OAuth client that you created in the Google Cloud console.',
    group,
  }),
  googleDriveClientSecret: secretSetting().meta({ title: 'Client secret', group, secret: true }),
  googleDriveRefreshToken: secretSetting().meta({
    title: 'Refresh token',
    description:
      'Must have the scope https://www.googleapis.com/auth/drive.file, which gives access only to files created by Pentad.',
    group,
    secret: true,
  }),
  googleDriveFolder: textSetting().meta({
    title: 'Folder',
    description: 'Folder in My Drive, created if it does not exist. Default: Pentad backups.',
    group,
  }),
})

export type GoogleDriveSettings = z.output<typeof googleDriveSettings>
