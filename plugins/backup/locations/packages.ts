/** The optional npm packages of each location. */
export const PACKAGES: Readonly<Record<'googleDrive' | 'webdav' | 's3' | 'sftp', readonly string[]>> = {
  googleDrive: ['@googleapis/drive'],
  webdav: ['webdav'],
  s3: ['@aws-sdk/client-s3'],
  sftp: ['ssh2-sftp-client'],
}
