/** The keys of `backup_settings` for locations; each location declares its own. */
import { z } from 'zod'
import { googleDriveSettings } from './google-drive/settings.ts'
import { s3Settings } from './s3/settings.ts'
import { sftpSettings } from './sftp/settings.ts'
import { webdavSettings } from './webdav/settings.ts'

export const locationSettings = z.object({
  ...webdavSettings.shape,
  ...s3Settings.shape,
  ...sftpSettings.shape,
  ...googleDriveSettings.shape,
})

export type LocationSettings = z.output<typeof locationSettings>
