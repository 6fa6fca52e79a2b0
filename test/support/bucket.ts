/** A bucket of a real S3 server, in a folder of its own. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import S3rver from 's3rver'
import { temporaryFolder } from './site-folder.ts'

export interface TestBucket {
  /** `PENTAD_STORAGE_URL` */
  readonly storageUrl: string
  /** Keys of its objects. */
  keys(): string[]
  /** All requests fail from now on. */
  fail(isFailing: boolean): void
  stop(): Promise<void>
}

export async function startBucket(): Promise<TestBucket> {
  const directory = temporaryFolder()
  const server = new S3rver({
    ...{ address: '127.0.0.1', port: 0, directory, silent: true },
    configureBuckets: [{ name: 'site' }],
  })
  let isDown = false
  server.middleware.unshift(async (context, next) => {
    if (!isDown) return next()
    context.req.resume()
    context.status = 500
  })
  const { port } = await server.run()
  const folder = join(directory, 'site')
  return {
    storageUrl: `s3+http://S3RVER:S3RVER@127.0.0.1:${port}/site`,
    keys: () =>
      (existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [])
        .filter((name) => name.endsWith('._S3rver_object'))
        .map((name) => name.slice(0, -'._S3rver_object'.length))
        .sort(),
    fail(isFailing) {
      isDown = isFailing
    },
    stop: () => server.close(),
  }
}
