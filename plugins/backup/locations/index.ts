import './hooks.ts'
import { join } from 'node:path'
import { type ExtensionHost, type Hooks, RestError } from 'pentad'
import { z } from 'zod'
import type { BackupLocation, LocationDefinition } from '../types.ts'
import { locationError } from './failure.ts'
import type { GoogleAddresses } from './google-drive/client.ts'
import { createGoogleDriveLocation } from './google-drive/location.ts'
import { googleDriveSettings } from './google-drive/settings.ts'
import { createLocalLocation } from './local.ts'
import { createS3Location } from './s3/location.ts'
import { s3Settings } from './s3/settings.ts'
import type { LocationSettings } from './settings.ts'
import { createSftpLocation } from './sftp/location.ts'
import { sftpSettings } from './sftp/settings.ts'
import { createWebdavLocation } from './webdav/location.ts'
import { webdavSettings } from './webdav/settings.ts'

const callable = z.custom<() => unknown>((value) => typeof value === 'function')
/** The parts of a `LocationDefinition` that can be validated before use. */
const definitionSchema = z.looseObject({
  id: z.string().regex(/^[\w-]{1,64}$/),
  title: z.string(),
  isConfigured: callable,
  open: callable,
})

export interface Locations {
  /** Whether `local` is the bucket of the site, which all its nodes share, rather than the disk of this machine. */
  readonly usesBucket: boolean
  /** All available locations, including those that are not configured. */
  list(): readonly LocationDefinition[]
  find(id: string): LocationDefinition | undefined
  /**
   * The location, ready for use; the caller closes it.
   *
   * @throws RestError 502 `backup_location_failed` if it does not exist or is not configured.
   */
  open(id: string): Promise<BackupLocation>
}

/** The error for a parameter that names an unknown location. */
export function unknownLocation(parameter: 'location' | 'defaultLocation' = 'location'): RestError {
  const message = 'There is no storage location with this ID.'
  return new RestError('rest_invalid_param', message, { status: 400, params: { [parameter]: message } })
}

export interface LocationOptions {
  readonly siteDir: string
  /** Current settings; changes apply from the next `open`. */
  settings(): LocationSettings
  readonly hooks: Pick<Hooks, 'applyFilters'>
  /** The bucket of the site. */
  readonly bucket?: ExtensionHost['bucket']
  /** Delay before the first retry, in ms. Default: 1000. */
  readonly firstDelayMs?: number
  /** Default: Google's own. */
  readonly google?: GoogleAddresses
}

/** The locations of the site: the five built-in ones and those added by the `backup_locations` filter. */
export function createLocations({
  siteDir,
  settings,
  hooks,
  bucket,
  firstDelayMs = 1000,
  google,
}: LocationOptions): Locations {
  const isSet = (...keys: readonly (keyof LocationSettings)[]) => keys.every((key) => settings()[key] !== '')
  const own: readonly LocationDefinition[] = [
    {
      id: 'local',
      title: bucket ? 'Bucket' : 'Local',
      isConfigured: () => true,
      open: async () => (bucket ? openSiteBucket(bucket, firstDelayMs) : createLocalLocation(join(siteDir, 'backups'))),
    },
    {
      id: 'googleDrive',
      title: 'Google Drive',
      settings: Object.keys(googleDriveSettings.shape),
      isConfigured: () => isSet('googleDriveClientId', 'googleDriveClientSecret', 'googleDriveRefreshToken'),
      open: () => createGoogleDriveLocation(settings(), google, firstDelayMs),
    },
    {
      id: 'webdav',
      title: 'WebDAV',
      settings: Object.keys(webdavSettings.shape),
      isConfigured: () => isSet('webdavUrl'),
      open: () => createWebdavLocation(settings(), firstDelayMs),
    },
    {
      id: 's3',
      title: 'S3',
      settings: Object.keys(s3Settings.shape),
      isConfigured: () => isSet('s3Bucket', 's3AccessKey', 's3SecretKey'),
      open: () => createS3Location(settings(), firstDelayMs),
    },
    {
      id: 'sftp',
      title: 'SFTP',
      settings: Object.keys(sftpSettings.shape),
      // The fingerprint may still be missing: the connection test reports it.
      isConfigured: () => isSet('sftpHost', 'sftpUser') && (isSet('sftpPassword') || isSet('sftpPrivateKey')),
      open: async () => createSftpLocation(settings(), firstDelayMs),
    },
  ]
  /** A mistake in an extension must not prevent backups. */
  const isLocation = (found: unknown): found is LocationDefinition => definitionSchema.safeParse(found).success
  const list = () => {
    const filtered: unknown = hooks.applyFilters('backup_locations', own)
    const known = Array.isArray(filtered) ? filtered.filter(isLocation) : own
    return [...new Map(known.map((location) => [location.id, location])).values()]
  }

  return {
    usesBucket: bucket !== undefined,
    list,
    find: (id) => list().find((location) => location.id === id),
    async open(id) {
      const location = list().find((candidate) => candidate.id === id)
      // The location of a deactivated extension is unavailable, but its backups stay listed.
      if (!location) throw locationError(id, { reason: 'This storage location does not exist.', temporary: false })
      if (!location.isConfigured()) {
        throw locationError(location.title, { reason: 'This storage location is not configured.', temporary: false })
      }
      return location.open()
    },
  }
}

/** The archives of a site whose uploads are in a bucket. */
async function openSiteBucket(
  { endpoint, region, name, prefix, accessKeyId, secretAccessKey }: NonNullable<ExtensionHost['bucket']>,
  firstDelayMs: number,
): Promise<BackupLocation> {
  const settings = { s3Endpoint: endpoint, s3Region: region, s3Bucket: name, s3Prefix: `${prefix}backups/` }
  const keys = { s3AccessKey: accessKeyId, s3SecretKey: secretAccessKey, s3PathStyle: 'on' as const }
  return { ...(await createS3Location({ ...settings, ...keys }, firstDelayMs)), id: 'local' }
}
