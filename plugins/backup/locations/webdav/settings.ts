import { z } from 'zod'
import { addressSetting, secretSetting, textSetting } from '../setting-types.ts'

const group = 'WebDAV'

export const webdavSettings = z.object({
  webdavUrl: addressSetting().meta({
    title: 'URL',
    description:
      'URL of the folder for archives, for example https://cloud.example.org/remote.php/dav/files/anna/backups.',
    group,
  }),
  webdavUser: textSetting().meta({ title: 'Username', group }),
  webdavPassword: secretSetting().meta({
    title: 'Password',
    description: 'For Nextcloud and ownCloud, use an app password.',
    group,
    secret: true,
    boundTo: ['webdavUrl', 'webdavUser'],
  }),
})

export type WebdavSettings = z.output<typeof webdavSettings>
